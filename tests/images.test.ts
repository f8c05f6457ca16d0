import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Harness, type Person, project, rejects, sharedHarness, type Team } from './harness/index.ts'

const fullname = 'gallery.p'
let house: Harness
let team: Team

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('gallery')
  await team.owner.saveProject({ fullname, body: project(fullname) })
})

let shade = 0
/** A picture that no other test in this file uses. */
async function picture(format: 'png' | 'jpeg' | 'webp' = 'png', width = 40) {
  const background = { r: shade++, g: 40, b: 90 }
  const bytes = await sharp({ create: { width, height: 20, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
  return { filename: `mine.${format}`, contentType: `image/${format}`, data: bytes.toString('base64') }
}
const upload = async (person: Person = team.admin, target: 'icon' | 'cover' = 'icon', at = fullname) =>
  person.uploadProjectImage({ fullname: at, body: { ...(await picture()), target } })

describe('uploading', () => {
  test.each([
    ['png', 'png'],
    ['jpeg', 'jpg'],
    ['webp', 'webp'],
  ] as const)('a %s is stored, and its URL is public', async (format, extension) => {
    const body = { ...(await picture(format)), target: 'icon' } as const
    const result = await team.admin.uploadProjectImage({ fullname, body })
    expect(result).toMatchObject({
      extension,
      target: 'icon',
      url: `/api/projects/${fullname}/images/${result.fileName}`,
    })
    expect(result.fileName).toMatch(new RegExp(`^icon-[0-9a-f]+\\.${extension}$`))
    const response = await fetch(`${house.url}${result.url}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(`image/${format}`)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect((await response.arrayBuffer()).byteLength).toBe(result.size)
  })

  test('the project shows it once it is saved with its URL', async () => {
    const [icon, cover] = [await upload(), await upload(team.owner, 'cover')]
    expect(cover.fileName).toMatch(/^cover-/)
    expect((await team.owner.getProject({ fullname })).meta).not.toHaveProperty('icon')
    const meta = { title: 'P', description: '', icon: icon.url, avatar: icon.url, cover: cover.url }
    expect((await team.owner.saveProject({ fullname, body: project(fullname, { meta }) })).meta).toEqual(meta)
  })

  test('a wide picture is scaled down: an icon to 512 px, a cover to 2048 px', async () => {
    for (const [target, width] of [['icon', 512] as const, ['cover', 2048] as const]) {
      const body = { ...(await picture('png', 3000)), target }
      const { fileName } = await team.owner.uploadProjectImage({ fullname, body })
      const bytes = await house.nobody.getProjectImage({ fullname, asset: fileName })
      expect((await sharp(bytes).metadata()).width).toBe(width)
    }
  })

  test('the same picture twice is one file', async () => {
    const body = { ...(await picture()), target: 'icon' } as const
    const results = await Promise.all([1, 2].map(() => team.owner.uploadProjectImage({ fullname, body })))
    expect(results[0]).toEqual(results[1])
  })

  test.each([
    ['an svg', { contentType: 'image/svg+xml', data: Buffer.from('<svg/>').toString('base64') }],
    ['bytes of another type', { contentType: 'image/jpeg' }],
    ['no picture at all', { data: Buffer.from('hello').toString('base64') }],
    ['no base64', { data: '!!!' }],
  ])('refuses %s', async (_, wrong) => {
    const body = { ...(await picture()), ...wrong, target: 'icon' } as const
    await rejects(team.owner.uploadProjectImage({ fullname, body }), { code: 'invalid_image', status: 400 })
  })

  test('accepts five megabytes and refuses more', async () => {
    const { data, ...rest } = await picture()
    const padded = (size: number) => Buffer.concat([Buffer.from(data, 'base64'), Buffer.alloc(size)]).toString('base64')
    const body = (size: number) => ({ ...rest, data: padded(size), target: 'icon' }) as const
    await team.owner.uploadProjectImage({ fullname, body: body(4 * 1024 * 1024) })
    await rejects(team.owner.uploadProjectImage({ fullname, body: body(5 * 1024 * 1024) }), { code: 'invalid_image' })
  })

  test('a payload without a known target is refused', async () => {
    const body = { ...(await picture()), target: 'banner' as never }
    await rejects(team.owner.uploadProjectImage({ fullname, body }), {
      code: 'invalid_payload',
      status: 400,
      details: { issues: [{ path: 'target' }] },
    })
  })
})

describe('deleting', () => {
  test('clears the fields that refer to it, and no others', async () => {
    const [icon, cover] = [await upload(), await upload(team.owner, 'cover')]
    const meta = { title: 'P', description: '', icon: icon.url, avatar: `${house.url}${icon.url}`, cover: cover.url }
    const saved = await team.owner.whole.saveProject({ fullname, body: project(fullname, { meta }) })
    expect(await team.admin.deleteProjectImage({ fullname, asset: icon.fileName })).toEqual({ ok: true })
    const after = await team.owner.whole.getProject({ fullname })
    expect(after.body.meta).toEqual({ title: 'P', description: '', cover: cover.url })
    expect(after.headers.get('etag')).not.toBe(saved.headers.get('etag'))
    await rejects(house.nobody.getProjectImage({ fullname, asset: icon.fileName }), { code: 'not_found', status: 404 })
    await rejects(team.admin.deleteProjectImage({ fullname, asset: icon.fileName }), { code: 'not_found', status: 404 })
  })

  test('a picture without references does not change the project', async () => {
    const { fileName } = await upload()
    const before = await team.owner.whole.getProject({ fullname })
    await team.owner.deleteProjectImage({ fullname, asset: fileName })
    const after = await team.owner.whole.getProject({ fullname })
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  })

  test('does not affect another project', async () => {
    await team.owner.saveProject({ fullname: 'gallery.q', body: project('gallery.q') })
    const { fileName, url } = await upload(team.owner, 'icon', 'gallery.q')
    const meta = { title: 'P', description: '', icon: url }
    await team.owner.saveProject({ fullname, body: project(fullname, { meta }) })
    await rejects(team.owner.deleteProjectImage({ fullname, asset: fileName }), { code: 'not_found' })
    expect((await team.owner.getProject({ fullname })).meta.icon).toBe(url)
  })
})

test('a picture keeps its old URL when the project moves, even if the name is used again', async () => {
  await team.admin.saveWorkspace({ fullname: 'new-home', body: { fullname: 'new-home' } })
  await team.owner.saveProject({ fullname: 'gallery.mover', body: project('gallery.mover') })
  const { url, fileName } = await upload(team.owner, 'icon', 'gallery.mover')
  const request = await team.owner.createTransferRequest({
    fullname: 'gallery.mover',
    body: { targetWorkspace: 'new-home' },
  })
  await team.admin.acceptTransfer({ id: request.id })
  expect((await fetch(`${house.url}${url}`)).status).toBe(200)
  expect((await fetch(`${house.url}/api/projects/new-home.mover/images/${fileName}`)).status).toBe(200)
  await team.owner.saveProject({ fullname: 'gallery.mover', body: project('gallery.mover') })
  expect((await fetch(`${house.url}${url}`)).status).toBe(200)
})

test('the pictures of a deleted project are deleted, and a new project of that name does not have them', async () => {
  await team.owner.saveProject({ fullname: 'gallery.brief', body: project('gallery.brief') })
  const { fileName } = await upload(team.owner, 'icon', 'gallery.brief')
  await team.owner.deleteProject({ fullname: 'gallery.brief' })
  await team.owner.saveProject({ fullname: 'gallery.brief', body: project('gallery.brief') })
  await rejects(house.nobody.getProjectImage({ fullname: 'gallery.brief', asset: fileName }), { code: 'not_found' })
})

test('only owners and admins upload and delete; everyone can view', async () => {
  const { fileName } = await upload()
  const body = { ...(await picture()), target: 'icon' } as const
  const calls = (person: Omit<Person, 'id' | 'email' | 'token'>) => [
    () => person.uploadProjectImage({ fullname, body }),
    () => person.deleteProjectImage({ fullname, asset: fileName }),
  ]
  for (const person of [team.developer, team.user])
    for (const call of calls(person)) await rejects(call(), { code: 'forbidden', status: 403 })
  for (const call of calls(team.stranger)) await rejects(call(), { code: 'not_found', status: 404 })
  for (const call of calls(house.nobody)) await rejects(call(), { code: 'unauthenticated', status: 401 })
  await house.nobody.getProjectImage({ fullname, asset: fileName })
  await rejects(house.nobody.getProjectImage({ fullname, asset: 'icon-none.png' }), { code: 'not_found' })
  await rejects(house.nobody.getProjectImage({ fullname: 'gallery.none', asset: fileName }), { code: 'not_found' })
})
