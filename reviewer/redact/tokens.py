"""How keys and tokens look that providers mark by how they begin. Data only.

Not known here: a key that begins with nothing of its own, as of Mistral, Cohere, Datadog, Okta, Airtable, old
ones of Heroku and Vault and those of Azure; beside its name it is known all the same.
"""

from __future__ import annotations

from reviewer.redact.shapes import START, shape

_DIGIT = r"(?=[A-Za-z_-]{0,60}[0-9])"  # a digit among the letters: no word, no name
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

TOKENS = (
    shape("api key", "sk-", r"\bsk-(?:ant-|proj-|or-|svcacct-|admin-|lf-)?[A-Za-z0-9_-]{16,400}"),
    shape("api key", "sk_ rk_ pk_ whsec_", r"\b(?:sk|rk|pk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{20,250}"),
    shape("api key", "AKIA ASIA AROA AIDA", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    shape("api key", "AIza", r"\bAIza[A-Za-z0-9_-]{35}"),
    shape(
        "api key",
        "gsk_ xai- r8_ pplx- nvapi- tvly- fw_ csk- tskey-",
        r"\b(?:gsk_|xai-|r8_|pplx-|nvapi-|tvly-|fw_|csk-|tskey-[a-z]{3,10}-)"
        r"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,250}",
    ),
    shape("api key", "SG.", r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    shape("token", "ghp_ gho_ ghu_ ghs_ ghr_", r"\bgh[pousr]_[A-Za-z0-9]{20,255}"),
    shape("token", "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{20,255}"),
    shape(
        "token",
        "glp gldt- glrt- glcbt- glsoat- glft- glagent- GR1348941",
        r"\b(?:gl(?:pat|ptt|dt|rt|cbt|soat|ft|agent)-|GR1348941)[A-Za-z0-9_.-]{16,255}",
    ),
    shape("token", "fm1_ fm2_", r"\bfm[12]_(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9+/=,_-]{20,2000}"),
    shape("token", "hf_", r"\bhf_[A-Za-z0-9]{20,100}"),
    shape("token", "xox", r"\bxox[abcdeoprs]-[A-Za-z0-9-]{10,255}"),
    shape("token", "xapp-", r"\bxapp-[A-Za-z0-9-]{16,255}"),
    shape("api key", "SK", r"\bSK[0-9a-f]{32}\b"),
    shape("token", "dapi", r"\bdapi[0-9a-f]{32}"),
    shape("token", "shp", r"\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    shape(
        "token",
        "lin_api_ glsa_ glc_ figd_ sntry ntn_ pscale_ dckr_ ATATT ATBB",
        r"\b(?:lin_api_|glsa_|glc_|figd_|sntry[su]_|ntn_|pscale_(?:tkn|pw|oauth)_|dckr_[po]at_|ATATT|ATBB)"
        r"[A-Za-z0-9_=.+/-]{20,400}",
    ),
    shape("token", "secret_", r"\bsecret_(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{40,60}\b"),
    shape("token", "hvs. hvb.", r"\bhv[sb]\.[A-Za-z0-9_-]{24,300}"),
    shape("token", "dp.", r"\bdp\.(?:st|pt|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,120}"),
    shape("token", "npm_", r"\bnpm_[A-Za-z0-9]{30,60}"),
    shape("token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{40,400}"),
    shape("token", "_v1_", r"\bdo[opr]_v1_[a-f0-9]{40,80}"),
    shape("token", "ya29.", r"\bya29\.[A-Za-z0-9_-]{20,400}"),
    shape(
        "token", "eyJ", r"\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{4,8000}(?:\.[A-Za-z0-9_-]{0,2000})?"
    ),
    shape("token", "eyJ", r"\beyJ[A-Za-z0-9_-]{8,400}(?:\.[A-Za-z0-9_-]{10,8000}){4}"),  # encrypted
    shape("token", ":AA", rf"(?:{START}|(?<=[Bb]ot))[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{32,40}}"),
    shape("api key", "ABSK", rf"\bABSK{_DIGIT}[A-Za-z0-9+/=]{{60,200}}"),
    shape("api key", "GOCSPX-", r"\bGOCSPX-[A-Za-z0-9_-]{20,40}"),
    shape("token", "1//0", rf"{START}1//0[A-Za-z0-9_-]{{30,200}}"),
    shape("api key", "Q~", r"(?<![A-Za-z0-9])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,40}"),
    shape(
        "token",
        (
            *(
                "rubygems_",
                "sbp_",
                "nfp_",
                "vcp_",
                "vck_",
                "rnd_",
                "bkua_",
                "CLOJARS_",
                "squ_",
                "sqp_",
                "sqa_",
            ),
            *("fc-", "e2b_", "jina_", "aio_", "rdme_", "pnu_", "pul-", "NRAK-"),
        ),
        r"\b(?:rubygems_|sbp_|nfp_|vc[pk]_|rnd_|bkua_|CLOJARS_|sq[upa]_|fc-|e2b_|jina_|aio_|rdme_|pnu_|pul-|NRAK-)"
        rf"{_DIGIT}[A-Za-z0-9]{{24,250}}",
    ),
    shape(
        "token",
        "tgp_v1_ sb_secret_ CCIPAT_ CCIPRJ_ HRKU-AA lsv2_ wandb_v1_ pcsk_ CFPAT- tfp_ y0_Ag PMAK-",
        r"\b(?:tgp_v1_|sb_secret_|CCIP(?:AT|RJ)_|HRKU-AA|lsv2_(?:pt|sk)_|wandb_v1_|pcsk_|CFPAT-|tfp_|y0_Ag|PMAK-)"
        rf"{_DIGIT}[A-Za-z0-9_-]{{24,250}}",
    ),
    shape("token", "sq0", r"\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,60}"),
    shape("api key", "key-", r"\bkey-[0-9a-f]{32}\b"),
    shape("api key", "-us1 -us2", r"(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}\b"),
    shape("token", "pat-na pat-eu", rf"\bpat-(?:na|eu)[0-9]-{_UUID}"),
    shape(
        "token",
        "access-sandbox- access-development- access-production-",
        rf"\baccess-(?:sandbox|development|production)-{_UUID}",
    ),
    shape("token", "atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_-]{40,100}"),
    shape("token", "ops_eyJ", r"\bops_eyJ[A-Za-z0-9_-]{60,4000}"),
    shape("token", "sk.eyJ", r"\bsk\.eyJ[A-Za-z0-9_-]{10,400}\.[A-Za-z0-9_-]{16,60}"),
    shape("token", "sl.B sl.u.", rf"\bsl\.(?:u\.|(?=B)){_DIGIT}[A-Za-z0-9_-]{{100,1500}}"),
    shape("token", "dt0", r"\bdt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{40,80}"),
    shape("token", "EAA IGQV", rf"\b(?:EAA|IGQV){_DIGIT}[A-Za-z0-9]{{50,400}}"),
    shape("token", "AKCp cmVmdGtu", r"\b(?:AKCp[0-9]|cmVmdGtu)[A-Za-z0-9]{40,100}"),
    shape("token", "LTAI AKID AQVN", rf"\b(?:LTAI|AKID|AQVN){_DIGIT}[A-Za-z0-9_-]{{16,60}}\b"),
    shape("api key", "rzp_ FLWSECK", r"\b(?:rzp_(?:live|test)_|FLWSECK(?:_TEST)?-)[A-Za-z0-9]{14,60}(?:-X)?"),
    shape("token", "v1.0-", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{140,160}"),
    shape("token", "hooks.zapier.com", r"(?P<keep>hooks\.zapier\.com/hooks/catch/)[A-Za-z0-9/]{6,60}"),
    shape("private key", "xprv", r"\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}\b"),
    shape(
        "private key",
        "IBAAK IBADAN MHcCAQEE b3BlbnNzaC1rZXktdjE",  # without the line that begins it
        r"\b(?:MII[A-Z][A-Za-z0-9+/]{2}IBA(?:AK|DAN)|MHcCAQEE|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/=]{40,20000}",
    ),
)
