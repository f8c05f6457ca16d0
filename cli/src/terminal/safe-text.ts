/**
 * Texts of chains and strangers reach a terminal through here. A control character could move the cursor, change the title or the
 * clipboard, and one that turns the direction of writing could hide what follows: each is shown as its escape.
 */

/** C0 and C1 but the tab and the line feed, the characters that turn the direction, separators of lines, and half pairs. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|\p{Surrogate}/gu

/** A text of several lines. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, escaped)
}

/** A text that must not look like two lines, such as the title of an alert. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', ' ').replaceAll('\t', ' ')
}

/** JSON stays valid: these characters stand only inside strings, where JSON has the same escapes. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unsafe, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
