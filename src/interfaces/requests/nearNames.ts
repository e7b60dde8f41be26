import { distanceWithin, folded, nearest } from "#domain/nearest.ts"
import { Context, Effect, Option, Predicate, Record } from "effect"
import { type Given, queryAndBodyParameters, queryParameters, type RawParameters } from "./parameterIssues.ts"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { HttpServerResponse } from "effect/http"
import { holdsKey } from "#application/accounts/ApiKey.ts"
import { NamesOfOpening } from "#api/Idempotency.ts"
import { membersOf } from "./failedRequests.ts"
import { combineIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { RequiredScopes } from "#api/Authorization.ts"
import { strangeName } from "#api/unknownMembers.ts"
import { RequestMeta } from "./RequestMeta.ts"
import { listField, nameItem } from "./structuredFields.ts"

/** Names elsewhere for our parameters, lower case without separators. Harmless ones (`from`, `to`, `fee` …) are left out. */
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

const synonyms = Record.map(written, (names) => names.split(" "))

/*
 * Parameter names that are nearly ours. Endpoints that begin a swap refuse them: an ignored name would take the price
 * limit, the refund address or the commission away without a word.
 */

const bySynonym = new Map(
  Object.entries(synonyms).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** Names of a slippage tolerance. A bare one says neither its unit nor what it is below. */
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
    return "is not a parameter here; there are affiliate1 to affiliate4"
  }
  const ours = what === undefined || what === "account" || what === "address" ? "" : "CommissionBps"
  return meant(`affiliate${number}${ours}`)
}

/** The sentence about another name for `name`. */
export const meant = (name: string): string => `is not a parameter here; use ${name}`

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
const closestName = (given: string, known: ReadonlyArray<string>): string | undefined =>
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
  if (name === "idempotencykey") return "is not a parameter; send the header Idempotency-Key"
  if (slippage.test(name)) {
    const byQuote = known.includes("slippageTolerancePercent")
      ? "slippageTolerancePercent with a quoteId, or "
      : ""
    return `is not a parameter here; use ${byQuote}minimumPrice, estimatedPrice × (1 − tolerance in percent / 100)`
  }
  const affiliate = affiliateMeant(name)
  if (affiliate !== undefined) return affiliate
  if (name === "ccmpayload" || bySynonym.get(name) === "ccmPayload") {
    return "is not a parameter here; a message for a contract is ccmPayload, {gasBudget, message}, in the body of a POST"
  }
  const ours = closestTo(name, namesThatMatter(known))
  return ours === undefined ? undefined : meant(ours)
}

/*
 * Names of a tag, memo, message, extra id or payment id of the recipient or the refund. No provider pays with one, so where
 * a swap begins such a name is refused, never ignored (decision 51). No word below is made of others, so that a text is
 * read in one way only.
 */

/** Words for whose tag it is: of a side of the swap, of an account there, of a chain whose accounts have tags. */
const side =
  "(?:to|dest|destination|dst|payout|withdraw|withdrawal|refunds?|returns?|rollback|recipients?|receiver|" +
  "receive|receiving|beneficiary|payee|target|output|out|egress|deposit|address|addresses|addr|wallet|account|acct|chain|" +
  "network|blockchain|coin|token|asset|currency|crypto|extra|additional|xrpl?|ripple|xlm|stellar|ton|cosmos|atom|eos|hbar|" +
  "hedera|algo|algorand|stx|stacks)"

/** Words that mean such a text alone or with a side; with any other word (`trackingTag`) they mean something else. */
const perhaps = "(?:tag|tagid|dt|messages?|msg|paymentids?)"

/** Words that mean such a text beside any other word. */
const surely = "(?:memos?|memoid|extraids?)"

const after =
  `(?:${side}|${perhaps}|${surely}|text|type|value|hash|data|hex|number|num|no|field|string|code|info|details)*`

/** The letters of a name that has no other words. */
const whole = new RegExp(`^${side}*(?:${perhaps}|${surely})${after}$`)

/** The letters of some words of a name that may have others, too. */
const part = new RegExp(`^(?:${side}*${surely}|${side}+(?:${perhaps}|comments?))${after}$`)

/** A quick look: what the letters of every such name have. */
const hasOne = /tag|dt|message|msg|paymentid|memo|extraid|comment/

/** The longest name that is read, and the most words that are one of ours together, such as `destination payment id`. */
const longestRead = 64
const mostTogether = 3

/** The words of a name, by its capitals and by what is no letter. */
const split = (name: string): ReadonlyArray<string> =>
  name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").toLowerCase().split(
    /[^a-z]+/,
  )

/** Whether a name means such a text: in any case, with or without separators (`destination_tag`, `TOEXTRAID`). */
export const meansTag = (name: string): boolean => {
  if (name.length > longestRead) return false
  // Full-width letters read as ordinary ones.
  const letters = name.normalize("NFKC").toLowerCase().replace(/[^a-z]+/g, "")
  if (!hasOne.test(letters)) return false
  if (whole.test(letters)) return true
  const words = split(name.normalize("NFKC"))
  return words.some((_, from) =>
    words.slice(from, from + mostTogether).some((_, more) =>
      part.test(words.slice(from, from + more + 1).join(""))
    )
  )
}

/** Why such a name is refused, as the rest of a sentence that begins with the name. */
export const tagRefusal = (name: string): string =>
  "cannot be used, because no provider can pay with a tag, memo, message or payment ID. Use an address that needs none" +
  (/message|msg/i.test(name) ? "; a message for a contract is ccmPayload in the body of a POST" : "")

/** Whether a value says nothing, so that nothing is lost where it is ignored. */
const isEmpty = (value: unknown): boolean =>
  Predicate.isString(value)
    ? value.trim() === ""
    : Predicate.isObjectOrArray(value)
    ? Object.values(value).every(isEmpty)
    : value === undefined || value === null || value === false

/** The most names that are told. */
const mostTold = 20

/** The members of `ccmPayload`, whose message is one for a contract. */
const ofMessage = ["gasBudget", "gas_budget", "message"]

/** The names in a request that mean a tag and say something, by their paths; those of `known` are the endpoint's. */
export const tagsIn = (raw: RawParameters, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (within: string, path: string, value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      if (found.length >= mostTold) return
      const isOurs = path === "" ? known.includes(name) : path === "ccmPayload" && ofMessage.includes(name)
      if (isOurs && name !== "ccmPayload") continue
      const to = path === "" ? name : Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
      // Within an object a word such as `tag` or `message` counts with the object's name: telemetry has such members, too.
      const isTag = !isOurs && !Array.isArray(value) && meansTag(within === "" ? name : `${within}.${name}`)
      if (isTag && !isEmpty(member)) found.push(to)
      else if (Predicate.isObjectOrArray(member)) look(Array.isArray(value) ? within : name, to, member)
    }
  }
  look("", "", raw)
  return found
}

/** The most unknown names that are compared, as comparing takes time. No honest request has nearly so many. */
const mostCompared = 200

const unknownNames = (raw: RawParameters, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(raw).filter((name) => !known.includes(name)).slice(0, mostCompared)

/** Whether the request has the same value under our name, too. Nothing is lost then where the other name is ignored. */
const saysTheSame = (raw: RawParameters, name: string, known: ReadonlyArray<string>): boolean => {
  const ours = closestName(name, known)
  return ours !== undefined && raw[ours] === raw[name]
}

const slip = (raw: RawParameters, name: string, known: ReadonlyArray<string>): string | undefined => {
  const sentence = nearMiss(name, known)
  return sentence === undefined || saysTheSame(raw, name, known) ? undefined : sentence
}

/** The issues of unknown names that would be a loss if they were ignored, by their paths in the request. */
const lossIssues = (raw: RawParameters, known: ReadonlyArray<string>): Issues => {
  const tags = tagsIn(raw, known)
  return combineIssues([
    ...tags.map((path) => issueAbout(path, tagRefusal(path))),
    ...unknownNames(raw, known).filter((name) => !tags.includes(name)).flatMap((name) => {
      const sentence = slip(raw, name, known)
      return sentence === undefined ? [] : [issueAbout(name, sentence)]
    }),
  ])
}

/** The most names in the header, and the longest one, so that proxies take it. Names left out are counted. */
const mostListed = 20
const longestListed = 64

const ignoredField = (names: ReadonlyArray<string>): string => {
  const listed = names.filter(({ length }) => length <= longestListed).slice(0, mostListed)
  const left = names.length - listed.length
  return listField([...listed.map(nameItem), ...(left === 0 ? [] : [`*;more=${left}`])])
}

/** The parts of an endpoint that say how its requests are read. */
export type Endpoint = Pick<HttpApiEndpoint.Top, "annotations" | "payload" | "query">

/** Adds an issue for each unknown name near a known one, or of a recipient's tag, where ignoring it changes the swap. */
const withLosses = ({ annotations }: Endpoint, given: Given): Given =>
  Option.match(Context.getOption(annotations, NamesOfOpening), {
    onNone: () => given,
    onSome: (known) => ({ ...given, issues: combineIssues([given.issues, lossIssues(given.raw, known)]) }),
  })

export type RequestServices = Effect.Services<typeof queryAndBodyParameters>

export const givenInQuery = (endpoint: Endpoint) =>
  Effect.map(queryParameters, (raw) => withLosses(endpoint, { raw, issues: noIssues }))

/** The parameters of a POST: in its query, its body, or both. */
export const givenInBoth = (endpoint: Endpoint) =>
  Effect.map(queryAndBodyParameters, (given) => withLosses(endpoint, given))

/** The parameters of a request, from wherever its endpoint takes them. */
export const givenTo = (endpoint: Endpoint): ReturnType<typeof givenInBoth> =>
  endpoint.payload.size > 0 ? givenInBoth(endpoint) : givenInQuery(endpoint)

/** Names that often mean something harmless, and ours where those are missing. */
const shortNames: ReadonlyMap<string, string> = new Map([["from", "sourceAsset"], ["to", "destinationAsset"]])

const strangerSentence = (raw: RawParameters, name: string, known: ReadonlyArray<string>): string => {
  const short = shortNames.get(name)
  return short !== undefined && known.includes(short) && !Object.hasOwn(raw, short)
    ? meant(short)
    : nearMiss(name, known) ?? "is not a parameter here"
}

/** Whether an endpoint's group is the operator's own: an unknown name of its queries is refused, not ignored. */
export const isOperators = ({ annotations }: Pick<HttpApiGroup.Top, "annotations">): boolean =>
  Option.exists(Context.getOption(annotations, RequiredScopes), (scopes) => scopes.includes("operate"))

/** A parameter whose name is not repeated: it is longer than any of ours, or holds an API key. */
const nameless = issueAbout("query", "has an unknown parameter (its name is not repeated)")

/** The issues of all names in the query of an operator's endpoint that it does not have, each with the nearest one. */
export const refusedNames = (known: ReadonlyArray<string>): Effect.Effect<Issues, never, RequestServices> =>
  Effect.gen(function* () {
    const { credentials } = yield* RequestMeta
    const names = unknownNames(yield* queryParameters, known).slice(0, mostListed)
    return combineIssues(
      names.map((name) =>
        name.length > longestListed || holdsKey(name, credentials)
          ? nameless
          : issueAbout(name, strangeName("parameter", closestOf(name, known), known))
      ),
    )
  })

/**
 * The issues of names that an endpoint does not have, of a request that is refused anyway: where one of ours is missing,
 * such a name may have been meant for it. Endpoints that begin a swap tell theirs with every request.
 */
export const strangerIssues = (
  { annotations }: Endpoint,
  known: ReadonlyArray<string>,
): Effect.Effect<Issues, never, RequestServices> =>
  Option.isSome(Context.getOption(annotations, NamesOfOpening))
    ? Effect.succeed(noIssues)
    : Effect.gen(function* () {
      const { credentials } = yield* RequestMeta
      const raw = yield* queryParameters
      return combineIssues(
        unknownNames(raw, known)
          .filter((name) => name.length <= longestListed && !holdsKey(name, credentials))
          .slice(0, mostListed)
          .map((name) => issueAbout(name, strangerSentence(raw, name, known))),
      )
    })

/** The names in a request that an endpoint which begins a swap ignores. A body that cannot be read has none. */
const ignoredByOpening = (endpoint: Endpoint, known: ReadonlyArray<string>) =>
  Effect.map(
    Effect.orElseSucceed(givenTo(endpoint), (): Given => ({ raw: {}, issues: noIssues })),
    ({ issues, nulls = [], raw }) => [
      // A name is in the issues where it was refused, and a null says nothing, whatever its name means.
      ...unknownNames(raw, known).filter((name) => !Object.hasOwn(issues, name)),
      ...nulls.filter((name) => !known.includes(name) && !Object.hasOwn(raw, name)),
    ],
  )

/** The names in a request that its endpoint ignores: of openings in query and body, of others in the query. */
const ignoredBy = (endpoint: Endpoint) =>
  Option.match(Context.getOption(endpoint.annotations, NamesOfOpening), {
    onNone: () => Effect.map(queryParameters, (raw) => unknownNames(raw, membersOf(endpoint.query))),
    onSome: (known) => ignoredByOpening(endpoint, known),
  })

/** Lists in `Ignored-Parameters` the names that an endpoint ignored (decision 3). */
export const listIgnored = <E, R>(
  endpoint: Endpoint,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) =>
  Effect.gen(function* () {
    const response = yield* answer
    const { credentials } = yield* RequestMeta
    const names = (yield* ignoredBy(endpoint)).filter((name) => !holdsKey(name, credentials))
    return names.length === 0
      ? response
      : HttpServerResponse.setHeader(response, "ignored-parameters", ignoredField(names))
  })
