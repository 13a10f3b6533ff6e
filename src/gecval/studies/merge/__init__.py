"""Parts of a corpus that were scored separately, as one."""
