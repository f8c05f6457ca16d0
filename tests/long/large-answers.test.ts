import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerBytesMax } from '../../server/src/api/http-reply.ts'
import { type Harness, harness, type Person, project, trigger } from '../harness/index.ts'

/** No answer is larger than a reader and the service can bear, and nothing is left out without a word. */

let house: Harness
let ann: Person
beforeAll(async () => {
  house = await harness()
  ann = (await house.team('acme')).owner
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
})
afterAll(() => house.close())

async function get(url: string) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${ann.token}` } })
  const text = await response.text()
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return { bytes: text.length, items: JSON.parse(text) as { fullname: string }[], next }
}

test('a page of large triggers ends early, and its link leads to the others', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `acme.p.t${String(at).padStart(2, '0')}`)
  for (const fullname of names) {
    const backend = { type: 'sdk', values: 'x'.repeat(230 * 1024) }
    await ann.saveTrigger({ fullname, body: trigger(fullname, { backend } as never) })
  }
  const seen: string[] = []
  const sizes: number[] = []
  for (let url: string | undefined = `${house.url}/api/triggers?project=acme.p`; url; ) {
    const page = await get(url)
    seen.push(...page.items.map(({ fullname }) => fullname))
    sizes.push(page.bytes)
    url = page.next === undefined ? undefined : new URL(page.next, house.url).href
  }
  expect(seen).toEqual(names)
  expect(sizes.length).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThan(answerBytesMax)
})

test('a long list of small entities is one page, as its limit says', async () => {
  const small = Array.from({ length: 450 }, (_, at) => `acme.q.t${String(at).padStart(3, '0')}`)
  await ann.saveProject({ fullname: 'acme.q', body: project('acme.q') })
  for (const fullname of small) await ann.saveTrigger({ fullname, body: trigger(fullname) })
  const list = async (query: string) => {
    const { items, next } = await get(`${house.url}/api/triggers?project=acme.q${query}`)
    return [items.map(({ fullname }) => fullname), next !== undefined]
  }
  expect(await list('')).toEqual([small, false])
  expect(await list('&limit=450')).toEqual([small, false])
  expect(await list('&limit=449')).toEqual([small.slice(0, 449), true])
  expect(await list('&limit=200')).toEqual([small.slice(0, 200), true])
  expect(await list('&limit=201')).toEqual([small.slice(0, 201), true])
})
