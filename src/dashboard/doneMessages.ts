/** What a page says after a form: fixed texts, so that no link can make a page say something else. */
export const doneMessages = {
  reindexed: "The upstream has looked for deposits again. What it found shows in the swap's next look-ups.",
  nothingFound: "The upstream has looked again, and found no deposit.",
  accepted: "The end is accepted: the swap has ended as its provider says.",
  moved: "The swap belongs to the other account now.",
  switched: "Switched. It is in force on every replica within a second.",
  accountMade: "The account is there. It can call once it has a key.",
  accountChanged: "The account is changed. It is in force on every replica within a second.",
  keyRevoked: "The key does not work any more.",
  routeSet: "The rule is in force on every replica within a second.",
  routeRemoved: "The rule is gone. The next rule that fits the pair counts.",
  webhookChanged: "The webhook is changed.",
  webhookRemoved: "The webhook is gone, with its deliveries.",
  testSent: "The test is on its way: its delivery below says what became of it.",
  ordered: "Ordered. The page below follows it to its payment.",
  affiliateRegistered: "The affiliate is registered. Its name can be used in affiliateN.",
  replayed: "Told again: the deliveries below say what becomes of them.",
} as const

export type DoneMessage = keyof typeof doneMessages

const isDoneMessage = (name: string): name is DoneMessage => Object.hasOwn(doneMessages, name)

/** The text of this name, if there is one. */
export const doneText = (name: string | undefined): string | undefined =>
  name !== undefined && isDoneMessage(name) ? doneMessages[name] : undefined
