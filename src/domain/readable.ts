/** Invisible characters, those that turn the writing direction, and those that renderers leave out. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The selector that makes a picture of an emoji: it is taken after one. */
const emoji = /\p{Extended_Pictographic}\ufe0f/gu

/** A letter, a figure, a sign or a picture. */
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text that people read shows all that it has, and has something to show: so no two names look the same. */
export const isReadable = (text: string): boolean => !unseen.test(text.replace(emoji, "♥")) && seen.test(text)
