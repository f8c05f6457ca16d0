import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { checkImage } from './index.ts'

const limits = { bytesMax: 5 * 2 ** 20, widthMax: 512 }
const script = '<script>alert(document.domain)</script>'

const drawing = (width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 90 } } })

const upload = (contentType: string, bytes: Buffer | string) => ({
  contentType,
  data: Buffer.from(bytes).toString('base64'),
})

async function accepted(contentType: string, bytes: Buffer) {
  const checked = await checkImage(upload(contentType, bytes), limits)
  if (!checked.ok) throw new Error(checked.message)
  return checked
}

test.each([
  ['png', 'png', 'image/png'],
  ['jpeg', 'jpg', 'image/jpeg'],
  ['webp', 'webp', 'image/webp'],
] as const)('a %s is encoded again in its own format', async (format, extension, contentType) => {
  const image = await accepted(contentType, await drawing().toFormat(format).toBuffer())
  expect(image).toMatchObject({ extension, contentType, hash: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(await sharp(image.bytes).metadata()).toMatchObject({ format, width: 40, height: 20 })
  const [red = 0, green = 0, blue = 0] = await sharp(image.bytes).removeAlpha().raw().toBuffer()
  expect([red, green, blue].map((value) => Math.round(value / 20))).toEqual([10, 2, 5])
})

test.each(['png', 'jpeg', 'webp'] as const)('no metadata of a %s is kept', async (format) => {
  const tagged = await drawing()
    .toFormat(format)
    .withExif({ IFD0: { Copyright: 'whoever-took-it' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><who>whoever-took-it</who></x:xmpmeta>')
    .withIccProfile('p3')
    .toBuffer()
  expect(tagged.includes('whoever-took-it')).toBe(true)
  const { bytes } = await accepted(`image/${format}`, tagged)
  const { exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata()
  expect({ exif, xmp, icc, iptc, orientation }).toEqual({})
  expect(bytes.includes('whoever-took-it')).toBe(false)
})

test('a rotated photograph is turned upright before its orientation tag is removed', async () => {
  const { bytes } = await accepted('image/jpeg', await drawing().jpeg().withMetadata({ orientation: 6 }).toBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 20, height: 40 })
})

test('transparency is kept', async () => {
  const { bytes } = await accepted('image/png', await drawing().ensureAlpha(0.5).png().toBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ hasAlpha: true })
})

test('an HDR photograph is stored without its gain map', async () => {
  // sharp has the method, its types do not name it yet.
  const hdr = drawing(64, 64) as Sharp & { withGainMap(): Sharp }
  const photograph = await hdr.withGainMap().jpeg().toBuffer()
  expect(photograph.includes('MPF\0')).toBe(true)
  const { bytes } = await accepted('image/jpeg', photograph)
  expect(bytes.includes('MPF\0')).toBe(false)
})

test('a picture is scaled down to the limit and never enlarged', async () => {
  const wide = await accepted('image/png', await drawing(2048, 1024).png().toBuffer())
  expect(await sharp(wide.bytes).metadata()).toMatchObject({ width: 512, height: 256 })
  const tall = await accepted('image/png', await drawing(10, 5120).png().toBuffer())
  expect(await sharp(tall.bytes).metadata()).toMatchObject({ width: 1, height: 512 })
})

test('the first frame of an animation is kept', async () => {
  const frames = [drawing(), drawing().negate()].map((frame) => frame.png().toBuffer())
  const animated = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer()
  expect((await sharp(animated).metadata()).pages).toBe(2)
  const { bytes } = await accepted('image/webp', animated)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 20 })
  expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
})

test('equal pictures have equal hashes, different pictures different ones', async () => {
  const png = await drawing().png().toBuffer()
  const [one, same, other] = [
    await accepted('image/png', png),
    await accepted('image/png', png),
    await accepted('image/png', await drawing(41).png().toBuffer()),
  ]
  expect(same.hash).toBe(one.hash)
  expect(other.hash).not.toBe(one.hash)
})

test('a payload hidden in a picture is removed', async () => {
  const png = await drawing().png().toBuffer()
  const inside = Buffer.concat([png.subarray(0, 33), chunk('tEXt', Buffer.from(`x\0${script}`)), png.subarray(33)])
  const behind = Buffer.concat([png, Buffer.from(script)])
  for (const polyglot of [inside, behind]) {
    expect(polyglot.includes('<script>')).toBe(true)
    const { bytes } = await accepted('image/png', polyglot)
    expect(bytes.includes('<script>')).toBe(false)
  }
  const jpeg = Buffer.concat([await drawing().jpeg().toBuffer(), Buffer.from(script)])
  expect((await accepted('image/jpeg', jpeg)).bytes.includes('<script>')).toBe(false)
})

test.each(['image/jpg', 'IMAGE/PNG', ' image/png '])('%s is accepted', async (contentType) => {
  const format = contentType === 'image/jpg' ? 'jpeg' : 'png'
  await accepted(contentType, await drawing().toFormat(format).toBuffer())
})

test('a data URL is accepted too, unless it contradicts the content type', async () => {
  const { contentType, data } = upload('image/png', await drawing().png().toBuffer())
  const check = (data: string) => checkImage({ contentType, data }, limits)
  expect(await check(`data:image/png;base64,${data}`)).toMatchObject({ ok: true })
  const refused = { ok: false, message: 'The data URL is not base64 of image/png.' }
  expect(await check(`data:image/webp;base64,${data}`)).toEqual(refused)
  expect(await check(`data:text/html;base64,${data}`)).toEqual(refused)
  expect(await check(`data:image/png,${data}`)).toEqual(refused)
  expect(await check('data:image/png;base64')).toEqual(refused)
  expect(await check('data:')).toEqual(refused)
})

test.each(['image/svg+xml', 'image/gif', 'text/html', 'image/avif', 'image/png; x=1', ''])(
  'the content type "%s" is refused',
  async (contentType) => {
    expect(await checkImage(upload(contentType, await drawing().png().toBuffer()), limits)).toEqual({
      ok: false,
      message: 'An image must be image/png, image/jpeg or image/webp.',
    })
  },
)

test('bytes that do not fit the content type are refused', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`
  const gif = await drawing().gif().toBuffer()
  const jpeg = await drawing().jpeg().toBuffer()
  for (const bytes of [svg, gif, jpeg, `<!doctype html>${script}`, 'RIFF\0\0\0\0WAVE', '\0']) {
    expect(await checkImage(upload('image/png', bytes), limits)).toEqual({
      ok: false,
      message: 'The data is not image/png.',
    })
  }
  expect(await checkImage(upload('image/webp', 'RIFF\0\0\0\0WAVE'), limits)).toMatchObject({ ok: false })
})

test('a document that starts with the first bytes of a picture is refused', async () => {
  const signatures = { png: '\x89PNG\r\n\x1a\n', jpeg: '\xff\xd8\xff', webp: 'RIFF\0\0\0\0WEBP' }
  for (const [format, signature] of Object.entries(signatures)) {
    const bytes = Buffer.from(`${signature}<html>${script}</html>`, 'latin1')
    expect(await checkImage(upload(`image/${format}`, bytes), limits)).toEqual({
      ok: false,
      message: 'The image is damaged and cannot be decoded.',
    })
  }
})

test.each(['png', 'jpeg', 'webp'] as const)('a truncated %s is refused, wherever it was cut', async (format) => {
  const noise = sharp({
    create: { width: 200, height: 200, channels: 3, background: '#888', noise: { type: 'gaussian' } },
  })
  const whole = await noise.toFormat(format).toBuffer()
  for (const kept of [0.01, 0.3, 0.5, 0.9]) {
    const cut = whole.subarray(0, Math.ceil(whole.length * kept))
    expect(await checkImage(upload(`image/${format}`, cut), limits), `${kept}`).toMatchObject({ ok: false })
  }
})

test('a pixel bomb is refused before it is decoded', async () => {
  const bomb = blackPng(20_000, 20_000)
  expect(bomb.length).toBeLessThan(100_000)
  expect(await checkImage(upload('image/png', bomb), limits)).toEqual({
    ok: false,
    message: 'The image has 20000 x 20000 pixels; at most 16 million are allowed.',
  })
  expect(await checkImage(upload('image/png', blackPng(4000, 4000)), limits)).toMatchObject({ ok: true })
})

test.each([
  ['spaces', 'iVBO Rw0K'],
  ['line breaks', 'iVBO\nRw0K'],
  ['the alphabet of URLs', 'iVBO-_0K'],
  ['missing padding', 'iVBORw0KGg'],
  ['padding in the middle', 'iV==Rw0K'],
  ['too much padding', 'iVBOR==='],
  ['padding alone', '===='],
  ['bits beyond the last byte', 'iVBORx=='],
  ['other text', '<svg>!!!'],
])('base64 with %s is refused', async (_, data) => {
  expect(await checkImage({ contentType: 'image/png', data }, limits)).toEqual({
    ok: false,
    message: 'The image data is not valid base64.',
  })
})

test('an empty image is refused', async () => {
  const refused = { ok: false, message: 'The image is empty.' }
  expect(await checkImage({ contentType: 'image/png', data: '' }, limits)).toEqual(refused)
  expect(await checkImage({ contentType: 'image/png', data: 'data:image/png;base64,' }, limits)).toEqual(refused)
})

test('the size limit counts decoded bytes exactly', async () => {
  const png = await drawing().png().toBuffer()
  expect(await checkImage(upload('image/png', png), { ...limits, bytesMax: png.length })).toMatchObject({ ok: true })
  expect(await checkImage(upload('image/png', png), { ...limits, bytesMax: png.length - 1 })).toMatchObject({
    ok: false,
  })
  expect(await checkImage({ contentType: 'image/png', data: 'A'.repeat(8 * 2 ** 20) }, limits)).toEqual({
    ok: false,
    message: 'The image is larger than 5 MiB.',
  })
})

test('many uploads at once are all answered', async () => {
  const png = upload('image/png', await drawing().png().toBuffer())
  const broken = upload('image/png', '\x89PNG')
  const checked = await Promise.all(Array.from({ length: 20 }, (_, i) => checkImage(i % 2 ? png : broken, limits)))
  expect(checked.map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, (_, i) => i % 2 === 1))
})

/** One bit a pixel, so that even a huge picture is a small file. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
