"""Text that speaks to whoever reads it as an agent, to turn it against its own people."""

from __future__ import annotations

from vademecum.core.patterns import later

_INJECTION = later(
    r"(?i)\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all"
    r"|any|your|system)\b.{0,30}\b(?:instructions?|prompts?|rules?|messages?|context|guidelines)"
    r"|\byou are (?:now|no longer)\b.{0,60}\b(?:assistant|model|ai|dan|mode|unrestricted|bound)\b"
    r"|\b(?:new|updated|real|hidden) (?:system )?(?:instructions?|prompt)\s*:"
    r"|\b(?:reveal|print|repeat|leak|show|output)\b.{0,30}\bsystem prompt"
    r"|\bdo not (?:tell|inform|mention|reveal|show)\b.{0,40}\b(?:user|human|operator|owner)\b"
    r"|\b(?:send|post|upload|exfiltrate|forward|e-?mail|curl)\b.{0,80}\b(?:credentials?|secrets?"
    r"|passwords?|tokens?|api[ _-]?keys?|private keys?|id_rsa|\.ssh|\.env|/etc/passwd)\b"
    r"|<\s*/?\s*(?:system|assistant|instructions?|im_start|im_end)\b[^>]{0,40}>"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]"
    r"|ignorier\w*.{0,30}(?:vorherig|bisherig|obig|alle)\w*.{0,20}(?:anweisung|instruktion|regel)"
    r"|忽略.{0,8}(?:之前|以上|先前|所有).{0,8}(?:指令|指示|提示|规则)"
    r"|(?:これまで|以前|上記)の.{0,6}(?:指示|命令).{0,6}無視"
)

# One of these stands in all that the pattern finds; looking for them takes a hundredth of its time.
_SIGNS = (
    *("instruction", "prompt", "guideline", "rule", "message", "context", "you are ", "do not "),
    *("credential", "secret", "password", "token", "key", "id_rsa", ".ssh", ".env", "/etc/"),
    *("system", "assistant", "im_start", "im_end", "endoftext", "inst]"),
    *("anweisung", "instruktion", "regel", "忽略", "無視"),
)
_ORDER = later(
    r"(?i)(?:\A|[>\s])system\s*[:：]\s*you\b"
    r"|\byou are (?:now|no longer)\b.{0,40}\b(?:root|admin(?:istrator)?|jailbroken)\b"
    r"|\b(?:assistants?|agents?|ai|models?|llm|you|always|must)\b.{0,60}"
    r"(?:\b(?:curl|wget|fetch)\b.{0,120}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\brm -rf [/~])"
    r"|\b(?:assistants?|agents?|ai|models?|llm|you|always|must)\b.{0,40}"
    r"\b(?:send|forward|upload|post|e-?mail|transfer|pay)\b.{0,80}\bto\b.{0,20}(?:\S+@\S|https?://)"
    r"|(?:vergiss|vergesst|missachte)\b.{0,30}(?:vorherig|bisherig|obig|alle|deine)\w*.{0,20}"
    r"(?:anweisung|instruktion|regel)"
    r"|\bdu bist (?:jetzt|nun|ab sofort)\b.{0,40}\b(?:root|admin|ki|modell)"
    r"|(?:忘记|无视).{0,8}(?:之前|以上|先前|所有).{0,8}(?:指令|指示|提示|规则)"
    r"|你现在是.{0,12}(?:管理员|助手|模型|root)"
)
_OWN = later(
    r"(?i)\W*(?:(?:user|human|maintainer)\s*[:：]\s*)?(?:we|i|our|wir|ich|unser\w*|我们?)\b"
)
"""Who tells what they send where themselves gives no order to send it."""
_SENT = later(
    r"(?i)credentials?|secrets?|passwords?|tokens?|api[ _-]?keys?|private keys?|id_rsa|\.ssh|\.env"
    r"|/etc/passwd"
)

ADDRESSED = "it reads like instructions to a model"
"""Why such a text is kept apart."""


def is_injection(text: str) -> bool:
    """Whether a text speaks to a model to turn it against whoever it works for."""
    folded = text.lower()
    return any(sign in folded for sign in _SIGNS) and bool(_INJECTION.search(text))


def is_order(sentence: str) -> bool:
    """Whether a sentence that is to be remembered is an order to whoever will read it.

    Stricter than `is_injection`, which judges files that a person wrote for agents: a memory tells
    what holds, and has no need to say what a model is now, runs, or sends where.
    """
    if _OWN.match(sentence):
        return is_injection(_SENT.sub("", sentence))
    return is_injection(sentence) or bool(_ORDER.search(sentence))
