// Sorts the quotes of explanations again, with nothing but what is in them. Plain Node, no packages:
//   node rerank.mjs explanations.jsonl
// Each line is the body of GET /quotes/{quoteId}/explanation. Prints how many were sorted, and how many differ.
import { readFileSync } from "node:fs"

const ceilSqrt = (value) => {
  if (value < 2n) return value
  let low = 0n
  let high = value
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle * middle >= value) high = middle
    else low = middle
  }
  return high
}

/** The 95 % Wilson bound (z = 1.96) below completed / n, in millionths, rounded down. */
const lowerBoundPpm = ({ completed, n }) => {
  if (n < 20) return undefined
  const [k, all, zz] = [BigInt(completed), BigInt(n), 196n * 196n]
  const square = ((zz * all + 40000n * k * (all - k)) * 10n ** 20n + all - 1n) / all
  const numerator = (20000n * k + zz) * 10n ** 10n - 196n * ceilSqrt(square)
  return numerator <= 0n ? 0n : numerator / (2n * (10000n * all + zz) * 10000n)
}

const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0

/** The most output first, regular before DCA, then the operator's order. */
const byNet = (preference) => (one, other) =>
  compare(BigInt(other.egress.amountNative), BigInt(one.egress.amountNative)) ||
  compare(one.type === "dca", other.type === "dca") ||
  compare(preference.indexOf(one.platform), preference.indexOf(other.platform))

/** What a policy sorts by before that; the highest comes first. */
const figures = {
  "net-output@1": () => 0n,
  "fastest@1": ({ estimateMillis }) => -BigInt(estimateMillis),
  "guaranteed@1": ({ guaranteed }) => BigInt(guaranteed.amountNative),
  "reliable@2": ({ egress, reliability }) => {
    const bound = lowerBoundPpm(reliability)
    return bound === undefined ? undefined : BigInt(egress.amountNative) * bound
  },
}

const byFigure = (figure) => (one, other) => {
  const [left, right] = [figure(one), figure(other)]
  if (left === undefined || right === undefined) return compare(left === undefined, right === undefined)
  return compare(right, left)
}

const sort = ({ policy, preference, quotes }) =>
  [...quotes].sort(byNet(preference)).sort(byFigure(figures[policy]))

/** A decimal as an integer and the digits behind its point. */
const decimal = (text) => {
  const [whole, places = ""] = `${text}`.split(".")
  return { value: BigInt(whole + places), places: places.length }
}

/** How many digits an asset has: what is between an amount and its native twin, which is not 0. */
const digitsOf = ({ amount, amountNative }) => {
  const { places, value } = decimal(amount)
  return places + `${amountNative}`.length - `${value}`.length
}

/** A native amount of the source asset in native units of the destination asset, rounded half up. */
const inDestination = (native, { egress, estimatedPrice, ingress }) => {
  const { places, value } = decimal(estimatedPrice)
  const exponent = digitsOf(egress) - digitsOf(ingress) - places
  if (exponent >= 0) return native * value * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  return (2n * native * value + divisor) / (2n * divisor)
}

/** The median of what providers state, the lower of two in the middle; 0 where that is over half of the best output. */
const deducted = ({ preference, quotes }) => {
  const [best] = [...quotes].sort(byNet(preference))
  const stated = new Map()
  for (const { platform, statedDepositCost: cost } of quotes) {
    if (cost === undefined || BigInt(cost.amountNative) === 0n || stated.has(platform)) continue
    const native = BigInt(cost.amountNative)
    if (cost.asset === best.egress.asset) stated.set(platform, native)
    else if (cost.asset === best.ingress.asset) stated.set(platform, inDestination(native, best))
  }
  const sorted = [...stated.values()].sort(compare)
  const median = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0n
  return 2n * median > BigInt(best.egress.amountNative) ? 0n : median
}

/** Whether the explanation agrees with itself: the order, the net amounts, the bounds. */
const agrees = (explanation) => {
  const cost = deducted(explanation)
  return BigInt(explanation.depositCost?.amountNative ?? 0) === cost &&
    sort(explanation).every(({ egress, lowerBoundPpm: told, net, position, reliability }, index) =>
      position === index + 1 &&
      BigInt(net.amountNative) === BigInt(egress.amountNative) - cost &&
      (told === undefined ? undefined : BigInt(told)) === lowerBoundPpm(reliability)
    )
}

/** The body, with its decimals as text: a double would lose their digits. */
const read = (line) => JSON.parse(line.replaceAll(/"(amount|estimatedPrice)":(-?[0-9.]+)/g, '"$1":"$2"'))

const lines = readFileSync(process.argv[2], "utf8").split("\n").filter((line) => line !== "")
const different = lines.filter((line) => !agrees(read(line)))
console.log(`${lines.length} sorted again, ${different.length} differences`)
if (different.length > 0) console.log(different[0])
