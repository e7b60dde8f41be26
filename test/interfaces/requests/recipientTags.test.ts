import { assert } from "@effect/vitest"
import { meansTag, tagsIn } from "#interfaces/requests/nearNames.ts"
import { it } from "#test/support/it.ts"
import { harmlessNames, spellings, tagNames, tagWords } from "#test/support/tagNames.ts"

it("a name of a tag, memo, message, extra id or payment id of the recipient is told in every spelling", () => {
  const missed = tagWords.flatMap((words) => Object.values(spellings).map((spell) => spell(words)))
    .concat(tagNames(2_000)).filter((name) => !meansTag(name))
  assert.deepStrictEqual(missed, [])
})

it("so is one whose words are written together in any case, or beside words that nobody knows", () => {
  const names = [
    "toextraid",
    "dEsTiNaTiOnTaG",
    "recipient[memo]",
    "x-destination-tag",
    "coinexMemoText",
    "tag1",
    "payin.extra.id",
    "destinationComment",
    "ｍｅｍｏ",
  ]
  assert.deepStrictEqual(names.filter((name) => !meansTag(name)), [])
})

it("a name that only looks like one is not", () => {
  const alike =
    ("stage percentage advantage voltage memory memorandum storage hashtag etag tags tagline messageId message_id " +
      "utm_tag trackingTag partnerTag externalId width paymentMethod customerMessage merchantPaymentId errorMessage ccmMessage " +
      "extra id comment comments").split(" ")
  assert.deepStrictEqual([...alike, ...harmlessNames(2_000)].filter(meansTag), [])
})

it("names are found in what an unknown member holds, by their paths; those that say nothing are not", () => {
  const raw = {
    memo: "",
    extraId: [],
    destinationTag: false,
    tag: "0",
    recipients: [{ address: "r", tag: "7" }],
    extra: { id: "9" },
    settings: { deep: { refund: { memo: "x", stage: "y" } } },
    note: { tag: null },
    ccmPayload: { gasBudget: "1", message: "0x", memo: "x" },
  }
  assert.deepStrictEqual(tagsIn(raw, ["ccmPayload"]), [
    "tag",
    "recipients[0].tag",
    "extra.id",
    "settings.deep.refund.memo",
    "ccmPayload.memo",
  ])
})

it("our own names are none, whatever they look like", () => {
  assert.deepStrictEqual(tagsIn({ message: "x" }, ["message"]), [])
})
