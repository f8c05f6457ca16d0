import type { Sharp } from 'sharp'
import type { ImageFormat } from './formats.ts'
import { loadSharp } from './sharp.ts'

const pixelsMax = 16_000_000
const drawSecondsMax = 20

/**
 * Decodes the picture and encodes it again in its format, so that only pixels remain: no metadata, no appended data. Of
 * an animation the first frame is kept.
 */
export async function reencode(
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
