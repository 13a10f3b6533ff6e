"""A small sound file of each format, for the fuzzer to break."""

M2 = b"""\
S He go to home yesterday .
A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||goes||walks|||OPTIONAL|||-NONE-|||1

S She like it
S very much .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0
A 4 4|||M:ADV|||indeed|||REQUIRED|||-NONE-|||0

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

"""
CHERRANT = """\
S 我 是
T0-A0 我 在
A 1 2|||S|||在|||REQUIRED|||-NONE-|||0
T1 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 你
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0

""".encode()
PARA = "1\t我是\t我在\t没有错误\n2\t你\t您\n3\t他 了\t无法标注\n".encode()
PAIRS = b"source\ttarget\tother\nHe go home .\tHe goes home .\tHe went home .\nFine .\tFine .\n"
ESSAYS = b"### essay_id = a\nHe go home.\nFine!\n\n### essay_id = b\nShe like it.\n\n"
WI_JSON = b"""\
{"id": "1", "text": "He go home.\\nFine.", "edits": [[0, [[3, 5, "goes"], [10, 10, " now"]]], [1, [[3, 5, null]]]]}
{"id": "2", "text": "Fine.", "edits": [[0, []]]}
"""
NUCLE = b"""\
<DOC nid="829">
<TEXT>
<TITLE>
Keeping secret
</TITLE>
<P>
He go &amp; home.
</P>
</TEXT>
<ANNOTATION teacher_id="8">
<MISTAKE start_par="1" start_off="3" end_par="1" end_off="5">
<TYPE>SVA</TYPE>
<CORRECTION>goes</CORRECTION>
</MISTAKE>
</ANNOTATION>
</DOC>
"""
IMEASURE = b"""\
<?xml version="1.0" encoding="UTF-8"?>
<scripts><script id="1">
<sentence id="1" numann="2"><text>He go to home .</text><error-list>
<error id="1" req="yes" type="SVA"><alt ann="0"><c start="1" end="2">goes</c></alt>
<alt ann="1"><c start="1" end="2">went</c></alt></error>
<error id="2" req="no" type="Prep"><alt ann="0"><c start="2" end="3"/></alt></error></error-list></sentence>
<sentence id="2" numann="1"><text>Fine .</text><error-list/></sentence>
</script></scripts>
"""
CORPUS_JSONL = b"""\
{"source": "He go home .", "references": ["He goes home .", {"annotator": "b", "edits": [[1, 2, ["went"], "V", true]]}]}
{"source": "Fine .", "references": [{"text": "Fine .", "annotator": "a"}, "Fine ."]}
"""
TEXTS = "He goes home .\nShe likes it very much .\nFine .\nCafé déjà-vu !\n".encode()
OUTPUTS_JSONL = b"""\
{"source": "He go home .", "hypotheses": {"old": "He go home .", "new": "He goes home ."}}
{"source": "Fine .", "hypotheses": {"old": "Fine .", "new": "Fine !"}}
"""
CHAT_OUTPUTS = b"""\
{"custom_id": "line-2", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "Fine ."}}]}}}
{"custom_id": "line-1", "response": {"status_code": 200, "body": {"choices": [{"message": {"content": "He goes ."}}]}}}
"""
SENTENCE_SCORES = b"0.5\n-1e-3\n"
SETTINGS = b"""\
address = "https://board.example.org"
open_signup = false
undo_days = 30
pause = 10.0
worker_growth = 500_000_000
smtp = "smtp://USER:PASSWORD@mail.example.org:587"
sender = "board@example.org"
sso = "https://login.example.org/realms/lab"
sso_signup = true
"""
JUDGMENTS_XML = b"""\
<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<ranking-item src-id="1" user="anna"><translation rank="1" system="A B"/><translation rank="2" system="C"/>
</ranking-item>
<ranking-item src-id="2" user="ben"><translation rank="2" system="A"/><translation rank="1" system="B"/></ranking-item>
<ranking-item src-id="3" user="anna"><translation rank="1" system="A"/><translation rank="3" system="C"/></ranking-item>
</appraise-results>
"""
JUDGMENTS_CSV = b"""\
sentence,judge,system,rank
1,anna,A,1
1,anna,B,2
2,ben,A,2
2,ben,B,1
2,ben,C,3
3,ben,B,1
3,ben,C,1
"""
JUDGMENT_PAIRS_CSV = b"""\
segmentId,judgeID,system1Id,system1rank,system2Id,system2rank
0,anna,A,1,B,2
1,ben,A,2,B,1
2,ben,B,1,C,3
"""
JUDGMENTS_JSONL = b"""\
{"sentence": 1, "judge": "anna", "ranks": {"A": 1, "B": 2, "C": 2}}
{"sentence": 2, "judge": "ben", "ranks": {"A": 2, "B": 1}}
{"sentence": 3, "judge": "ben", "ranks": {"B": 1, "C": 1}}
"""
CORRECTIONS = b"""\
source\tcorrection\tstatus
He go home .\tHe goes home .\tApproved
He go home .\tHe went home .\tApproved
He go home .\tHe goes home .\tApproved
She like it .\tShe likes it .\tApproved
She like it .\tShe liked\\tit .\tApproved
"""
HISTOGRAM = b"frequency\tvariants\n0.4\t1\n0.2\t2\n0.001\t100\n0.00001\t10000\n"
RATINGS = b"""\
Id\tSentence\tExpert Judgement\tAverage\tDataset
1\tHe go home .\t2\t2.4\ttrain
2\t"He said ""go"" ."\t4\t3.8\ttrain
3\tFine .\t4\t4.0\tdev
4\tHim goed .\t1\t1.2\tdev
5\tIt rains .\t4\t3.9\ttest
6\tIt rain .\t2\t2.5\ttest
"""
WEIGHTS = b"""\
{
 "gecval": "lfm",
 "intercept": 2.5,
 "weights": {"misspelled": -1.5, "words": 0.01},
 "judges": {"spelling": "pocketsphinx 5"},
 "trained": {"alpha": 10.0, "data": "gug"}
}
"""
HUMAN_JSON = b"""\
{
 "schema": "gecval.human/1",
 "correlations": [{"metric": "m2", "spearman": {"value": 0.5}}, {"metric": "gleu", "spearman": {"value": null}}]
}
"""
SPELLING = b'interpolated(with_references=gleu(n=3, form="paper"), without=imeasure(beta=0.5, mix=True), weight=0.25)'

JUDGED_EDITS = (
    b'{"sentence": 0, "source": "He go home .", "corrections": [{"text": "He goes home .", "systems": ["A"], '
    b'"edits": [[1, 2, "R:VERB:SVA", "goes", true]]}]}\n'
    b'{"sentence": 1, "source": "Fine .", "corrections": [{"text": "Fine !", "systems": ["A", "B"], '
    b'"edits": [[1, 2, "R:PUNCT", "!", false], [0, 0, "M", "So", null]]}]}\n'
)
LOOKS = b"""\
{
 "schema": "gecval.looks/1",
 "looks": {"gleu: 0.005 @ 0.95": ["0123456789abcdef", "fedcba9876543210"]}
}
"""
CONLLU = (
    b"# text = Io vado .\n1-2\tIo\t_\t_\t_\t_\t_\t_\t_\t_\n1\tIo\tio\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
    b"2\tvado\tandare\tVERB\t_\tA=B\t0\troot\t_\t_\n3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n"
)
COUNTS = b"0\tFine .\n2\tHe go to home .\n10\tShe like it very much .\n"
SHARD = b"2/12"
WEIGHTED_TYPES = b'{"R:SPELL": 2, "M:DET": 0.5, "U": 1}\n'
