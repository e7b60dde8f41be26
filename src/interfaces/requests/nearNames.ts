import { distanceWithin, folded, nearest } from "#domain/nearest.ts"
import { Record } from "effect"

/**
 * Usual names elsewhere for our parameters, in lower case and without separators. Names that as often mean something
 * harmless (`from`, `to`, `source`, `address`, `network`, `interval`, `fee`) are left out.
 */
const written = {
  sourceAsset:
    "fromasset fromtoken fromcoin srcasset srctoken sourcetoken sourcecoin inputasset ingressasset " +
    "depositasset sellasset originasset",
  destinationAsset:
    "toasset totoken tocoin dstasset dsttoken destasset desttoken destinationtoken destinationcoin " +
    "outputasset egressasset buyasset targetasset",
  destinationAddress:
    "toaddress dstaddress destaddress destinationaddr destaddr recipient recipientaddress receiver " +
    "receiveraddress receivingaddress payoutaddress outputaddress egressaddress targetaddress " +
    "beneficiaryaddress recipientaccount withdrawaladdress withdrawalto payto towallet destinationwallet " +
    "settleaddress customrecipient",
  boostFee: "boost boostfeebps boostbps maxboostfee maxboostfeebps maximumboostfee maximumboostfeebps",
  minimumPrice: "minprice minimalprice limitprice pricelimit minoutput minoutputamount minimumoutput " +
    "minimumoutputamount minamountout minimumamountout amountoutmin amountoutminimum minreceived " +
    "minimumreceived toamountmin minbuyamount minreturn minreturnamount minout outmin mindestamount " +
    "mintoamount minrate minimumrate worstprice stopprice tolerance fillorkillparams",
  refundAddress:
    "refund refundto refundaddr refunddestination returnaddress returnto refundwallet refundrecipient " +
    "refundaccount sourcerefundaddress rollbackaddress refunddestinationaddress refundbtcaddress " +
    "refundethaddress refunds refundparameters",
  retryDurationInBlocks:
    "retryduration retrydurationblocks retryblocks retrydurationseconds retrydurationinseconds " +
    "retrydurationminutes retrydurationinminutes",
  numberOfChunks: "chunks nchunks numchunks numofchunks chunkcount dcachunks dcaparams",
  chunkIntervalBlocks: "chunkinterval chunkintervalinblocks chunkdelay dcainterval",
  commissionBps:
    "commission commissionpercent brokercommission brokercommissionbps brokerfee brokerfeebps feebps",
  affiliate1: "affiliate affiliates affiliateaccount affiliateaddress affiliatebrokers affiliatefees",
  affiliate1CommissionBps:
    "affiliatecommission affiliatecommissionbps affiliatefee affiliatefeebps affiliatebps",
  amount: "inputamount depositamount ingressamount sellamount fromamount amountin",
  amountNative: "nativeamount inputamountnative depositamountnative ingressamountnative",
  amountOut: "outputamount receiveamount egressamount buyamount toamount exactoutput",
  amountOutNative: "outputamountnative nativeamountout egressamountnative",
  platform: "provider providers providername",
  ccmPayload: "ccm ccmparams ccmmetadata channelmetadata ccmmessage gasbudget",
  sourceAddress: "fromaddress sender senderaddress",
  sourceTokenAccount: "fromtokenaccount tokenaccount",
  types: "events eventtypes eventtype",
}

export const synonyms = Record.map(written, (names) => names.split(" "))

/*
 * Parameter names that are nearly ours. Endpoints that begin a swap refuse them: an ignored name would take the price
 * limit, the refund address or the commission away without a word.
 */

const bySynonym = new Map(
  Object.entries(synonyms).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** Names of a slippage tolerance. A tolerance is no price, but the minimum price follows from it. */
const slippage =
  /^(?:max(?:imum)?|recommended|liveprice|oracleprice|allowed)?slip(?:page)?(?:tolerance|limit|price)?(?:percent(?:age)?|pct|bps)?$/

const numbered = /^affiliate([0-9]+)(account|address|bps|commission|fee|feebps|commissionbps)?$/
const mostAffiliates = 4

/** How many letters a name may differ from one of our names of this length. A short name soon becomes another word. */
const tolerance = ({ length }: string): number => length <= 4 ? 0 : length <= 8 ? 1 : 2

/** How many letters a name may differ from a synonym. Synonyms are many, so unrelated words are sooner near to one. */
const synonymTolerance = ({ length }: string): number => length < 8 ? 0 : 1

const affiliateMeant = (name: string): string | undefined => {
  const [, number = "", what] = numbered.exec(name) ?? []
  if (number === "") return undefined
  if (Number(number) < 1 || Number(number) > mostAffiliates) {
    return `is one too many: there are affiliate1 to affiliate4`
  }
  const ours = what === undefined || what === "account" || what === "address" ? "" : "CommissionBps"
  return meant(`affiliate${number}${ours}`)
}

/** The sentence about another name for `name`. */
export const meant = (name: string): string => `is no parameter here: it is called ${name}`

const synonymWhere = (known: ReadonlyArray<string>, near: (synonym: string) => boolean) =>
  [...bySynonym].find(([synonym, ours]) => near(synonym) && known.includes(ours))?.[1]

/** Of two names that are near to one the nearer is meant: `amounOutNative` is no `amountNative`. */
const fewestSteps = [1, 2]

const closestTo = (name: string, known: ReadonlyArray<string>): string | undefined =>
  known.find((ours) => folded(ours) === name) ??
    synonymWhere(known, (synonym) => synonym === name) ??
    fewestSteps.map((most) =>
      known.find((ours) => distanceWithin(name, folded(ours), Math.min(most, tolerance(ours))))
    ).find((ours) => ours !== undefined) ??
    synonymWhere(known, (synonym) => distanceWithin(name, synonym, synonymTolerance(synonym)))

/** The name among `known` that a caller most likely means by `given`. */
export const closestName = (given: string, known: ReadonlyArray<string>): string | undefined =>
  closestTo(folded(given), known)

/** The name among `known` that `given` is most likely to mean: by a usual word for it, or by its spelling. */
export const closestOf = (given: string, known: ReadonlyArray<string>): string | undefined =>
  closestName(given, known) ?? nearest(given, known)

/** The names whose loss changes a swap. `sourceAddress` matters only where payloads hold accounts, as on Solana. */
const namesThatMatter = (known: ReadonlyArray<string>): ReadonlyArray<string> =>
  known.includes("seed") ? known : known.filter((name) => name !== "sourceAddress")

/** The sentence for a name that is nearly one of `known`, or a usual word for one; nothing for others. */
export const nearMiss = (given: string, known: ReadonlyArray<string>): string | undefined => {
  const name = folded(given)
  if (name === "idempotencykey") return "is no parameter: it is the header Idempotency-Key"
  if (slippage.test(name)) {
    return "is no parameter here: it is called minimumPrice, which is estimatedPrice × (1 − tolerance in percent / 100)"
  }
  const affiliate = affiliateMeant(name)
  if (affiliate !== undefined) return affiliate
  if (name === "ccmpayload" || bySynonym.get(name) === "ccmPayload") {
    return "is no parameter here: a message for a contract is the member ccmPayload, {gasBudget, message}, of the " +
      "body of a POST"
  }
  const ours = closestTo(name, namesThatMatter(known))
  return ours === undefined ? undefined : meant(ours)
}
