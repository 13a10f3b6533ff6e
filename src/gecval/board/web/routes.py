"""All routes of pages. ``reading`` routers show; ``writing`` routers take forms of ours alone."""

from gecval.board.web.pages import account, benchmark, campaigns, front, organising, submitting, system

ROUTERS = (
    front.reading,
    front.writing,
    account.reading,
    account.writing,
    organising.reading,
    organising.writing,
    submitting.reading,
    submitting.writing,
    system.reading,
    campaigns.reading,
    campaigns.writing,
    benchmark.reading,
)
