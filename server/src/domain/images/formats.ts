export type ImageFormat =
  | { name: 'png'; extension: 'png'; contentType: 'image/png' }
  | { name: 'jpeg'; extension: 'jpg'; contentType: 'image/jpeg' }
  | { name: 'webp'; extension: 'webp'; contentType: 'image/webp' }

const png: ImageFormat = { name: 'png', extension: 'png', contentType: 'image/png' }
const jpeg: ImageFormat = { name: 'jpeg', extension: 'jpg', contentType: 'image/jpeg' }
const webp: ImageFormat = { name: 'webp', extension: 'webp', contentType: 'image/webp' }

/** image/jpg is not a registered type, but many clients send it. */
const formats = new Map<string, ImageFormat>([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/jpg', jpeg],
  ['image/webp', webp],
])

export function readFormat(contentType: string): ImageFormat | undefined {
  return formats.get(contentType.trim().toLowerCase())
}

/** True if the bytes begin with the signature of the format. Other bytes never reach a decoder. */
export function isWritten(format: ImageFormat, bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12)
  if (format.name === 'png') return head.startsWith('\x89PNG\r\n\x1a\n')
  if (format.name === 'jpeg') return head.startsWith('\xff\xd8\xff')
  return head.startsWith('RIFF') && head.endsWith('WEBP')
}
