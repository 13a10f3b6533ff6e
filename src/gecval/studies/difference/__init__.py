"""Why do two scores differ? What their signatures tell, and by how much each setting changes the score."""
