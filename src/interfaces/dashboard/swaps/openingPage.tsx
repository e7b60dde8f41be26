import type { AssetId } from "#domain/chains/Asset.ts"
import type { UnknownOpening } from "#domain/operations/Business.ts"
import { receivedOf, sentOf } from "#domain/quotes/ExactOutput.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { guidanceOfOpening } from "#application/guidance/guidanceOf.ts"
import { ago, amount, assetName, clock, coin, moment } from "../../pages/values.tsx"
import { type Html, path, withQuery } from "../../pages/jsx-runtime.ts"
import { button, columns, copyable, known, kv, note, section, untrusted } from "../../pages/parts.tsx"
import { providerTitle } from "#providers/Contacts.ts"
import type { Shown } from "../Page.ts"
import { accountPath } from "../accounts/paths.ts"
import { providerPath } from "../providers/providerParts.tsx"
import { pillOf } from "./describeSwap.tsx"
import { checkOpeningAct } from "./openingActs.ts"
import { unknownLabel, unknownView } from "./views.ts"

const side = (asset: AssetId, native: bigint | undefined): Html =>
  native === undefined ? <>{coin(asset)}{assetName(asset)}</> : amount(asset, native)

/** The page of an opening with an unknown outcome. `nextBy`: by when the next automatic check is made. */
export const openingShown = (opening: UnknownOpening, now: EpochMillis, nextBy?: EpochMillis): Shown => {
  const provider = providerTitle(opening.platform)
  const { account, amount: fixed, checkedAt, createdAt, id, idempotencyKey, keyLabel, platform } = opening
  const subject = { platform, outcome: "unknown" as const, at: createdAt }
  const { text, whatYouCanDo } = guidanceOfOpening(subject, "operator")
  const points = (sentences: ReadonlyArray<string>) => (
    <ul class="points">{sentences.map((sentence) => <li>{sentence}</li>)}</ul>
  )
  return {
    title: `Swap ${id}`,
    crumb: <a href={withQuery(path`/dashboard/swaps`, { view: unknownView })}>{unknownLabel}</a>,
    state: pillOf("unknown"),
    line: (
      <>
        <a href={accountPath(account)}>{account}</a> · <a href={providerPath(platform)}>{provider}</a>{" "}
        · requested {moment(createdAt)} · {ago(createdAt, now)}
      </>
    ),
    acts: button("Case file", withQuery(path`/dashboard/swaps/${id}`, { format: "json" })),
    body: [
      note("warn", {
        title: `Unknown whether ${provider} opened a channel`,
        text,
        more: (
          <p>
            Reason: {untrusted(opening.reason)}.{" "}
            {checkedAt === undefined ? "Not checked yet." : <>Last check at {clock(checkedAt, now)} UTC.</>}
            {" "}
            {nextBy === undefined
              ? "No further automatic checks."
              : <>Next check by {clock(nextBy, now)} UTC.</>}
          </p>
        ),
      }, { acts: checkOpeningAct.form({ id }) }),
      columns(
        "wide",
        section(
          { title: "Request", id: "request" },
          kv([
            ["Deposit", side(opening.sourceAsset, sentOf(fixed))],
            ["Payout", side(opening.destinationAsset, receivedOf(fixed))],
            ["Destination address", copyable(opening.destinationAddress, "destination address")],
            ["Refund address", copyable(opening.refundAddress, "refund address")],
            [
              "API key",
              known(
                opening.keyId,
                (id) => (
                  <>{keyLabel !== undefined && <>{untrusted(keyLabel)}{" "}</>}{copyable(id, "key ID")}</>
                ),
              ),
            ],
            [
              "Idempotency-Key",
              known(idempotencyKey, (key) => copyable(key, "Idempotency-Key")) ?? "none sent",
            ],
            ["Request ID", known(opening.requestId, (id) => copyable(id, "request ID"))],
          ]),
        ),
        [
          section({ title: "What can be done", id: "advice" }, points(whatYouCanDo)),
          section(
            { title: "What to tell the account", id: "account" },
            points(
              guidanceOfOpening(subject, "integrator").whatYouCanDo.slice(
                ...(idempotencyKey === undefined ? [-1] : [0, 1]),
              ),
            ),
          ),
        ],
      ),
    ],
  }
}
