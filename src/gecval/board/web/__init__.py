"""The board on the web: pages for people, JSON for programs. Both ask ``access`` before they show anything."""
