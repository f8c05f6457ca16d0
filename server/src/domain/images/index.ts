/** Uploaded pictures. The service never stores the upload itself: it decodes the picture and encodes it again. */
import { createHash } from 'node:crypto'
import { decodeBase64 } from './base64.ts'
import { type ImageFormat, isWritten, readFormat } from './formats.ts'
import { reencode } from './reencode.ts'
import { makeSemaphore } from './semaphore.ts'

/** After resizing, neither side is longer than `widthMax`. `bytesMax` limits the decoded upload. */
export type ImageLimits = { bytesMax: number; widthMax: number }

export type CheckedImage =
  | {
      ok: true
      bytes: Buffer
      hash: string
      extension: ImageFormat['extension']
      contentType: ImageFormat['contentType']
    }
  | { ok: false; message: string }

/** Decoding a picture at the pixel limit takes about 64 MiB, so at most two are decoded at the same time. */
const runOneOfTwo = makeSemaphore(2)

export async function checkImage(
  upload: { contentType: string; data: string },
  limits: ImageLimits,
): Promise<CheckedImage> {
  const format = readFormat(upload.contentType)
  if (!format) return { ok: false, message: 'An image must be image/png, image/jpeg or image/webp.' }
  return runOneOfTwo(() => checkAs(format, upload.data, limits))
}

async function checkAs(format: ImageFormat, data: string, limits: ImageLimits): Promise<CheckedImage> {
  const decoded = decodeBase64(data, format.contentType, limits.bytesMax)
  if ('refused' in decoded) return { ok: false, message: decoded.refused }
  if (!isWritten(format, decoded.bytes)) return { ok: false, message: `The data is not ${format.contentType}.` }
  const drawn = await reencode(format, decoded.bytes, limits.widthMax)
  if ('refused' in drawn) return { ok: false, message: drawn.refused }
  const { extension, contentType } = format
  return { ok: true, bytes: drawn.bytes, hash: hashOf(drawn.bytes), extension, contentType }
}

/** Half of a SHA-256: short enough for a file name, and still safe against deliberate collisions. */
function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}
