import { readFormat } from './formats.ts'

/** Strict: one alphabet, full padding, no spaces. The size is checked before decoding. */
export function decodeBase64(
  data: string,
  contentType: string,
  bytesMax: number,
): { bytes: Buffer } | { refused: string } {
  const text = dropDataPrefix(data, contentType)
  if (text === undefined) return { refused: `The data URL is not base64 of ${contentType}.` }
  if (text === '') return { refused: 'The image is empty.' }
  if (decodedSize(text) > bytesMax) return { refused: `The image is larger than ${inMebibytes(bytesMax)} MiB.` }
  if (!isBase64(text)) return { refused: 'The image data is not valid base64.' }
  return { bytes: Buffer.from(text, 'base64') }
}

/** The text after `data:<type>;base64,`; undefined if that prefix contradicts the content type. */
function dropDataPrefix(data: string, contentType: string): string | undefined {
  if (!data.startsWith('data:')) return data
  const [type = '', encoding, ...more] = data.slice('data:'.length, data.indexOf(',')).split(';', 3)
  if (more.length > 0 || encoding !== 'base64' || readFormat(type)?.contentType !== contentType) return undefined
  return data.slice(data.indexOf(',') + 1)
}

function decodedSize(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor((text.length / 4) * 3) - padding
}

function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false
  // The last group may have bits beyond the last byte. They must be zero, so that every image has one spelling.
  const last = text.slice(-4)
  return Buffer.from(last, 'base64').toString('base64') === last
}

function inMebibytes(bytes: number): string {
  return String(Math.round((bytes / 2 ** 20) * 100) / 100)
}
