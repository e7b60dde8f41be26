import { Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import { OpeningChecks } from "#application/swapping/opening/OpeningChecks.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { swapId } from "../../requests/pathNames.ts"
import { path, withQuery } from "../../pages/jsx-runtime.ts"
import { formAction, type Submitted } from "../formAction.tsx"
import { unknownView } from "./views.ts"

/** Checks at once whether an opening with an unknown outcome has a channel. */
export const checkOpeningAct = formAction({
  path: "/dashboard/swaps/:id/check",
  button: "Check now",
  tone: "go",
  done: {
    found: "The provider has opened the channel. This is its swap.",
    nothingOpened: "No channel was opened. The account can send the request again.",
    unknown: "The outcome is still unknown. The next check follows automatically.",
    notChecked: "The check could not be made. Try again in a minute.",
  },
  run: Effect.fnUntraced(function* ({ param }: Submitted) {
    const id = yield* swapId(param("id"))
    const opening = yield* (yield* Business).unknownOpening(id)
    if (opening === undefined) return yield* new SwapNotFound()
    const said = yield* (yield* OpeningChecks).check(opening)
    const to = said === "nothingOpened"
      ? withQuery(path`/dashboard/swaps`, { view: unknownView })
      : path`/dashboard/swaps/${id}`
    return { to, said }
  }),
})
