/** What was checked, and how it stands. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** What is to be done, where it does not stand well; what can be, where it stands well with something to know. */
  readonly todo?: string
}

export const well = (check: string, detail: string): Finding => ({ check, ok: true, detail })

export const ill = (check: string, detail: string, todo: string): Finding => ({
  check,
  ok: false,
  detail,
  todo,
})

/** Nothing is wrong, but the operator may want it otherwise. */
export const advice = (check: string, detail: string, todo: string): Finding => ({
  check,
  ok: true,
  detail,
  todo,
})
