import { longestMessage } from "#providers/upstream/failures.ts"

/** Why the time of patterns does not grow as their form lets one doubt. */
interface Reason {
  readonly because: string
  /** The most characters that are matched; absent where the form itself is harmless. */
  readonly longest?: number
  readonly all: ReadonlyArray<RegExp>
}

/** Patterns whose time may grow faster than a text by their form (`doubtOf`), and does not. */
export const harmless: ReadonlyArray<Reason> = [
  {
    because: "only our own texts, figures and files are matched",
    longest: 0,
    all: [
      /\{(\w+)\}/g,
      /(?:Encoded|_[0-9]+)$/,
      /[?&]offset=([^&>]+)[^>]*>; rel="next"/,
      /^import [^;]*? from "[^"]+"\n/gm,
      /^export \{([^}]*)\} from/gm,
      /0+$/,
      /^\| `(\w+(?:<CHAIN>)?)` \|/gm,
      /\.?0+$/,
      /\{(\w+)\}/,
      /\B(?=(?:\d{3})+$)/g,
      /\d(?=(?:\d{3})+$)/g,
      /(\/\S+) \(0x/g,
      /^exec "\$place\/deno".*$/m,
      /^node_modules\/\.deno\/([^/\n]+)\//gm,
      /^ID=(\S+)$/m,
      /(?<=[a-z]_.*)_([a-z])/g,
      /\[([^\]]*)\]\([^)]*\)/g,
      /`|\*\*|^#+ /gm,
      /^(\s*)"([a-z_]\w*)":/gim,
      /(?<=^\s*(?:"[^"]*": )?)(?:true|false|null)(?=,?$)/gm,
      /--data '([\s\S]*)'$/,
      /^```[\s\S]*?^```/gm,
    ],
  },
  {
    because: "the operator wrote the text, which is read once, at the start",
    longest: 0,
    all: [
      /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g,
      /\/+$/,
    ],
  },
  {
    because: "the text is of at most 300 characters",
    longest: 300,
    all: [
      /^[^\s@:/?#<>"']+@[^\s@:/?#<>"']+\.[^\s@:/?#<>"']+$/,
      /"[^"]*"|“[^”]*”|`[^`]*`/g,
      /^[a-zA-Z]+(?:['’-][a-zA-Z]+)*$/,
      /^([(]*)(.*?)([.,:;!?)]*)$/s,
      /…(?: …)+/g,
    ],
  },
  {
    because: "each part ends at the next parenthesis, where the next part begins",
    all: [
      /(?:^|, )swap=(\(([^()]*)\);created=(\d{1,12});keyid="([\w-]{43})";alg="ed25519";tag="swap-broker")(?=,|$)/,
    ],
  },
  {
    because: "an upstream's message is cut to `longestMessage` first",
    longest: longestMessage,
    all: [
      /pars.*address|address.*(?:pars|decod|invalid)/i,
      /Module error ['‘’`](\w+)['‘’`] from pallet ['‘’`](\w+)['‘’`]/,
      /KnownModuleError\s*\{\s*pallet:\s*"(\w+)",\s*name:\s*"(\w+)"/,
      /(?=.*\baddress)(?=.*refund)(?=.*(?:valid|pars|decod|checksum|chain))/is,
      /(?=.*\baddress)(?=.*(?:valid|pars|decod|checksum|chain))/is,
      /affiliate.*not registered/i,
      /commission.*1000|1000.*commission|exceed 1000 bps/i,
      /\bmethod\b.*\bnot\b/i,
      /above maximum swap amount \(([0-9]+)\)/i,
      /asset (\w+) is disabled/i,
      /not supported as (?:a )?destination asset|supports only \w+ recipienttype/i,
      /^(?!.*must be)(?=.*\brecipient\b)(?=.*(?:valid|incorrect))/is,
      /^(?!.*must be)(?=.*\brefundto\b)(?=.*(?:valid|incorrect))/is,
      /not enough (?:asset|fund\w*) to pay for fees?|not enough fees?\b|less than outbound fee|does not meet requirements/i,
      /pool (?:does not exist|.*(?:not available|not found|doesn't exist))|asset is not (?:supported|available)|bad (?:from|to) asset/i,
    ],
  },
  {
    because: "a try ends where the next one could begin",
    all: [
      /^(-?)(\d+)(?:\.(\d+))?$/,
      /^([^:]*)(?:: ?([^]*))?$/,
      /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
      /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
      /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/i,
      /^[0-9]+(?:\.[0-9]+)?$/,
      /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]+)$/,
      /^"((?:[^"\\]|\\["\\])*)"$/,
      /\[[0-9]+\]/g,
      /^expected (.*), got (.*)$/s,
      /^(?:[a-z]+:)?[A-Za-z0-9]+$/,
      /\b(?:[a-z]+[A-Z][A-Za-z0-9]*|affiliate[1-4](?:CommissionBps)?)\b/g,
      /[?#].*$/s,
      /^https?:\/\/([^/?#]*)(.*)$/is,
      /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/,
      /%.*$/s,
      /[[:,]\s*[0-9]{16}/,
      /^=:([^:]+):([^:/]+)(?:\/([^:/]+))?:([0-9]{1,39})(?:\/([0-9]{1,5})\/([0-9]{1,5}))?(?::([^:/]+):([0-9]{1,4}))?$/,
      /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?$/i,
      /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g,
      /"((?:[^"\\]|\\.)*)(?:"|\\?$)|-?\d[\d.eE+-]*/gs,
    ],
  },
]
