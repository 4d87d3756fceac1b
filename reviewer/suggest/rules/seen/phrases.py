"""The words that the signals look for: refusals, claims, admissions, objections, complaints of tools.

English only, and by form: a phrase in a quotation counts like one that is meant, unless a caller gives the
pattern only `own_words`. Bounded patterns; callers give them a line, or the beginning of a message.
"""

from __future__ import annotations

import re

REFUSES = re.compile(
    r"\b(?:I|we)(?:'m| am)?(?: (?:sorry|afraid),?(?: but)? I)? ?"
    r"(?:can(?:no|'|’)t|cannot|won(?:'|’)t|will not|am unable to|not able to|unable to"
    r"|must decline|decline)"
    r"(?: to)? (?:help|assist|comply|provide|support|fulfil|participate|create|engage|do (?:this|that))",
    re.IGNORECASE,
)
POLICY = re.compile(r"\b(?:polic(?:y|ies)|guidelines?|must not|never|not allowed|refuse)\b", re.IGNORECASE)
STATE_FORBIDS = re.compile(  # an error that is about what a thing has become
    r"\bnon-\w+ \w+ cannot\b|\balready (?:been )?\w+|\bno longer\b|\bstatus\b|\bonly \w+ \w+ can be\b"
    r"|\bcannot be (?:modified|cancell?ed|changed|updated|exchanged|returned|edited)\b",
    re.IGNORECASE,
)
DANGER = re.compile(
    r"\b(?:harm\w*|danger\w*|unsafe|illegal|malicious|unethical|ethic\w*|polic(?:y|ies)|guidelines?|safety"
    r"|abus\w*|inappropriate)\b",
    re.IGNORECASE,
)
SUCCESS = re.compile(
    r"\b(?:all|the)? ?tests? (?:now )?(?:pass|passes|passed|are passing|succeed)\b|\bsuccessfully\b"
    r"|\b(?:is|are|was|were|been|has been|have been|now) (?:done|fixed|complete[d]?|implemented|resolved"
    r"|updated|created|working|verified|processed|cancelled|canceled|booked|added)\b"
    r"|\b(?:is|are) (?:now|currently) (?:being )?(?:hosted|served|live|running|available|deployed"
    r"|online|installed)\b"
    r"|\bI(?:'ve| have)? (?:fixed|completed|implemented|resolved|updated|verified|created|added|booked"
    r"|cancelled|canceled|processed)\b|\bworks (?:as expected|correctly|now|perfectly)\b|^(?:all )?done\b",
    re.IGNORECASE | re.MULTILINE,
)
NEGATED = re.compile(  # in the sentence of a claim: then it is none
    r"\b(?:not|none|never|cannot|no tests?|unsuccessful\w*)\b|n['’]t\b|\b\d+ of \d+\b", re.IGNORECASE
)
OPEN = re.compile(  # right before words of success, in the same clause: then they are not yet so
    r"\b(?:if|whether|until|unless|once|after|when|as soon as|before)\b[^.,:;!?\n]*\Z", re.IGNORECASE
)
ADMITS = re.compile(
    r"\b(?:could|can|was|were|am|is) ?(?:not|n't|n’t) (?:able|complete|finish|fix|solve|verify|run"
    r"|test|find)"
    r"|\b(?:I|we) (?:could|can|did) ?(?:not|n't|n’t)\b"
    r"|\bunable to\b|\bstill fail|\bdid ?(?:not|n't) (?:work|pass|succeed)|\b(?:remains?"
    r"|left) (?:open|unfixed)"
    r"|\bnot (?:been )?(?:tested|verified|fixed|implemented|completed)\b|\bfail(?:s|ed|ing)? (?:to"
    r"|with|because)"
    r"|\b(?:file|path|folder|directory|repository|page|dataset)\b(?:[^.\n]|\.(?=\w)){0,80}"
    r"\b(?:does not|doesn['’]t|do not) exist"
    r"|\bplease (?:verify|check|confirm) (?:the|that|whether|if)\b[^.\n]{0,60}"
    r"\b(?:path|file|folder|directory|url)\b",
    re.IGNORECASE,
)
OBJECTS = re.compile(
    r"\b(?:still|again) (?:fail|broken|wrong|not|the same|get|see|doesn)|\b(?:doesn|didn|isn"
    r"|don)['’]?t work"
    r"|\bdoes not work|\bnot what I\b|\bthat(?:'|’)?s (?:wrong|not (?:right|correct|what|it|working|true))\b"
    r"|\byou (?:did ?n['’]?t|forgot"
    r"|missed|broke)"
    r"|\b(?:revert|undo) (?:this|that|it|your)|\bnot working\b|\bthis is wrong\b",
    re.IGNORECASE,
)
ARGUMENTS = re.compile(
    r"unexpected keyword argument|missing \d+ required|required (?:property|argument|parameter|field)"
    r"|missing required|InputValidationError|invalid (?:argument|option|parameter|choice|value|type)"
    r"|is not (?:one of|of type|a valid)|unrecognized (?:argument|option)|unknown option|illegal option"
    r"|ValidationError|does not match (?:the )?schema|expected (?:a |an )?(?:string|integer|number"
    r"|array|object)\b"
    r"|has not been read yet|must be (?:a|an|one of) |takes \d+ positional|usage: ",
    re.IGNORECASE,
)
NOT_THERE = re.compile(
    r"""(?:no\ such\ file\ or\ directory|can(?:'|no)t\ (?:open|access|stat|find|cd\ to)(?:\ file)?):?\s*
          ['"‘]?(?P<after>[\w./@~-]{3,200})
      | (?P<before>[\w./@~-]{3,200})['"’]?:\ no\ such\ file\ or\ directory
      | (?:no\ module\ named|cannot\ import\ name|has\ no\ attribute|no\ attribute\ named)
          \ ['"](?P<name>[\w.]{3,200})
      | (?:unknown|no\ such|undefined)
          \ (?:tool|function|method|command|column|table|field|reference\ to)[:\s]+
          ['"`]?(?P<unknown>[\w.:-]{3,200})
      | ['"`]?(?P<missing>[\w./@#~-]{3,200})['"`]?\ (?:does\ not\ exist|is\ not\ defined|not\ found)""",
    re.IGNORECASE | re.VERBOSE,
)
_BUDGET = (
    r"(?:max(?:imum)?[ _]?(?:number of |allowed )?(?:iterations?|steps?|turns?|rounds?|time|budget|cost)\b"
    r"|\b(?:iteration|step|turn|time|budget|cost) limit\b)"
)
LIMIT = re.compile(
    rf"{_BUDGET}.{{0,40}}\b(?:reached|exceeded|hit)\b|\b(?:reached|exceeded|hit)\b.{{0,20}}?{_BUDGET}",
    re.IGNORECASE,
)
FAULT = re.compile(  # of network, machine or provider, as what fails prints it
    r"temporary failure in name resolution|could ?n[o']t resolve host|name or service not known|getaddrinfo"
    r"|proxy ?error|no space left on device|out of memory|\boom[- ]?kill|cannot allocate memory"
    r"|too many requests|\b(?:error:? )?(?:429|50[234])\b[: ]{1,2}(?-i:[A-Z])\w+"
    r"|service (?:is )?(?:temporarily )?unavailable"
    r"|bad gateway|gateway time-?out|(?:read|connection|request|operation|call) timed out"
    r"|timeout ?error|temporarily (?:unavailable|down)"
    r"|connection (?:refused|reset|aborted|broken|error)|ConnectionError|max retries exceeded|rate ?limit"
    r"|IncompleteRead|read-only file system|Internal ?Server ?Error|APIConnectionError",
    re.IGNORECASE,
)
_MACHINE = re.compile(  # those of the machine
    r"no space left|out of memory|\boom[- ]?kill|cannot allocate memory|read-only file system|\bdisk\b"
    r"|permission denied|\bcontainer|\bsandbox\b",
    re.IGNORECASE,
)
SPOKEN = re.compile(  # the same, as an agent speaks of it
    r"unavailable|timed? ?-?out|time-?outs?\b|network|connect(?:ion|ivity)|unreachable"
    r"|service (?:issue|error|problem)|technical (?:issue|difficult)|temporary (?:issue|problem)|rate limit"
    r"|\b(?:429|50[0234])\b|blocked|captcha"
    r"|out of (?:memory|space|disk)|no space left|not respond|internet access|system (?:error|issue)"
    r"|\boffline\b|\bdns\b|name service|\bquota\b|permission denied",
    re.IGNORECASE,
)
THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+\Z)")  # where prose may set a comma in a number
WORKS = re.compile(  # of what a tool returned that only looks
    r"\bcan (?:now )?(?:send|make|receive|connect|access)\b|\bexcellent\b|\bvery fast\b|: connected\b"
    r"|\b(?:is|are) (?:now )?(?:working|connected|reachable|resolved|up and running|healthy)\b",
    re.IGNORECASE,
)
WORKS_NOT = re.compile(
    r"\b(?:not|cannot|can['’]t|no[_ ](?:service|signal|connection)|unable|fail\w*|error|locked\w*|disabled"
    r"|poor)\b",
    re.IGNORECASE,
)
HANDS_OVER = re.compile(r"transfer_to_human|escalate|hand_?off|hand_?over", re.IGNORECASE)


_QUOTED = re.compile(r"```.{0,4000}?(?:```|\Z)|`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”", re.DOTALL)


def own_words(text: str) -> str:
    """The text with blanks for what stands in quotation marks or is code: each place stays where it is."""
    return _QUOTED.sub(lambda match: " " * len(match[0]), text)


def missing(error: str) -> str:
    """The name of what is not there, as an error says it; empty where it names nothing."""
    match = NOT_THERE.search(error)
    name = next((group for group in match.groups() if group), "") if match else ""
    return name.rstrip(".:").lstrip(":")


def kind_of_fault(words: str) -> str:
    """Of words of a fault outside the agent: which of its two kinds they speak of."""
    return "container or resource" if _MACHINE.search(words) else "network or service"
