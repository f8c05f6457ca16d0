/** Uploaded pictures. The service never stores the upload itself: it decodes the picture and encodes it again. */

import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
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

/** Strict: one alphabet, full padding, no spaces. The size is checked before decoding. */
function decodeBase64(data: string, contentType: string, bytesMax: number): { bytes: Buffer } | { refused: string } {
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

const pixelsMax = 16_000_000
const drawSecondsMax = 20

/**
 * Decodes the picture and encodes it again in its format, so that only pixels remain: no metadata, no appended data. Of
 * an animation the first frame is kept.
 */
async function reencode(
  format: ImageFormat,
  bytes: Buffer,
  widthMax: number,
): Promise<{ bytes: Buffer } | { refused: string }> {
  const sharp = await loadSharp()
  try {
    // Reads only the header, so that a decompression bomb is refused before any pixel is decoded.
    const { width, height, format: found } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (found !== format.name) return { refused: `The data is not ${format.contentType}.` }
    if (width * height > pixelsMax) {
      return { refused: `The image has ${width} x ${height} pixels; at most ${pixelsMax / 1e6} million are allowed.` }
    }
    const picture = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
      .timeout({ seconds: drawSecondsMax })
      .autoOrient()
      .resize({ width: widthMax, height: widthMax, fit: 'inside', withoutEnlargement: true })
    return { bytes: await encode(picture, format).toBuffer() }
  } catch {
    return { refused: 'The image is damaged and cannot be decoded.' }
  }
}

function encode(picture: Sharp, format: ImageFormat): Sharp {
  if (format.name === 'png') return picture.png()
  if (format.name === 'jpeg') return picture.jpeg({ quality: 85 })
  return picture.webp({ quality: 85 })
}

type SharpModule = typeof import('sharp')['default']

let loading: Promise<SharpModule> | undefined

/** Loads the decoder with the first upload: it takes tens of megabytes, and most servers never get an upload. */
function loadSharp(): Promise<SharpModule> {
  loading ??= load()
  return loading
}

async function load(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // libvips reads dozens of formats. It may try only the three accepted ones on untrusted bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
  return sharp
}

type ImageFormat =
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

function readFormat(contentType: string): ImageFormat | undefined {
  return formats.get(contentType.trim().toLowerCase())
}

/** True if the bytes begin with the signature of the format. Other bytes never reach a decoder. */
export function isWritten(format: ImageFormat, bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12)
  if (format.name === 'png') return head.startsWith('\x89PNG\r\n\x1a\n')
  if (format.name === 'jpeg') return head.startsWith('\xff\xd8\xff')
  return head.startsWith('RIFF') && head.endsWith('WEBP')
}
