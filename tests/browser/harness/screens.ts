import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { settle } from './axe.ts'

const folder = fileURLToPath(new URL('../../../docs/pictures/screens/', import.meta.url))
/** `PICTURES=keep` replaces the kept pictures by those of this run. */
export const isKeeping = process.env.PICTURES === 'keep'

export const wide = { width: 1280, height: 800 }
/** Pixels of a picture that is taken, per pixel of the page. */
export const scale = 0.5
export const phone = { width: 390, height: 844 }
/** The width of a kept picture: enough to see the layout, a few kB each. */
const keptWidth = { wide: 480, phone: 180 }

/** The size of the squares that are compared, in pixels of the kept picture. */
const square = 8
/** A square differs if its mean brightness differs by more than this, of 255. Other digits in a text differ by less. */
const squareDiffers = 8
/** The share of squares that may differ: other digits, the rounding of a font. Two runs on one machine differ by nothing. */
const shareMax = 0.01

/** Compares a page with its kept picture. Returns the share of the picture that differs. */
export async function compareWithPicture(page: Page, name: string): Promise<number> {
  await settle(page)
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const isPhone = page.viewportSize()?.width === phone.width
  const taken = await sharp(shot)
    .resize({ width: isPhone ? keptWidth.phone : keptWidth.wide })
    .webp({ quality: 60 })
    .toBuffer()
  const file = join(folder, `${name}.webp`)
  if (isKeeping || !existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, taken)
    return isKeeping ? 0 : 1
  }
  return shareThatDiffers(readFileSync(file), taken)
}

/** True if the layout is that of the kept picture. */
export function isSameLayout(share: number): boolean {
  return share <= shareMax
}

/** The share of squares whose brightness differs. A picture of another size differs as a whole. */
async function shareThatDiffers(before: Buffer, after: Buffer): Promise<number> {
  const [one, other] = [await squaresOf(before), await squaresOf(after)]
  if (one.length !== other.length) return 1
  const differing = one.filter((brightness, at) => Math.abs(brightness - (other[at] ?? 0)) > squareDiffers)
  return differing.length / one.length
}

/** The mean brightness of each square. */
async function squaresOf(picture: Buffer): Promise<number[]> {
  const { width, height } = await sharp(picture).metadata()
  const size = { width: Math.ceil(width / square), height: Math.ceil(height / square), fit: 'fill' as const }
  const { data } = await sharp(picture)
    .greyscale()
    .resize({ ...size, kernel: 'mitchell' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}
