import { describe, expect, test } from 'vitest'
import { overLimits } from '../routes/route-limits.ts'
import { TriggerDraftSave, TriggerSave } from '../triggers/trigger-definition.ts'
import { TriggerBulkRemove } from '../triggers/triggers.ts'
import { defaultLimits, overScripts, overTrigger } from './payload-limits.ts'

const least = {
  name: 't',
  fullname: 'acme.p.t',
  project: 'acme.p',
  workspace: 'acme',
  backend: { type: 'sdk' },
  inputs: {},
  meta: { title: 'T' },
}
const provider = (index: number) => ({ id: `p${index}`, type: 'javascript', source: '1' })
const script = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
const list = (count: number) => Array.from({ length: count }, (_, index) => index)
const over = (change: object, limits = defaultLimits) =>
  overTrigger(TriggerSave.parse({ ...least, ...change }), limits).map(({ path }) => path)

describe('a payload at the default limits is accepted, and one above is refused', () => {
  test.each([
    ['32 tags', 'tags', (size: number) => ({ tags: list(size).map(String) }), 32],
    ['64 labels', 'labels', (size: number) => ({ labels: Object.fromEntries(list(size).map((n) => [n, ''])) }), 64],
    ['20 providers', 'providers', (size: number) => ({ providers: list(size).map(provider) }), 20],
    ['64 KiB of activation', 'activation.source', (size: number) => ({ activation: script(size) }), 65_536],
    ['64 KiB of transform', 'transform.source', (size: number) => ({ transform: script(size) }), 65_536],
    ['64 KiB of raw', 'transform.rawSource', (size: number) => ({ transform: { raw: script(size) } }), 65_536],
    ['64 KiB of human', 'transform.humanSource', (size: number) => ({ transform: { human: script(size) } }), 65_536],
    [
      '64 KiB of a provider',
      'providers.0.source',
      (size: number) => ({ providers: [{ ...provider(0), source: script(size) }] }),
      65_536,
    ],
  ])('%s', (_, path, make, max) => {
    expect(over(make(max))).toEqual([])
    expect(over(make(max + 1))).toEqual([path])
  })

  test('256 KiB of trigger', () => {
    const sized = (values: string) => ({ backend: { type: 'sdk', values } })
    const room = 256 * 1024 - JSON.stringify(TriggerSave.parse({ ...least, ...sized('') })).length
    expect(over(sized('x'.repeat(room)))).toEqual([])
    expect(over(sized('x'.repeat(room + 1)))).toEqual([''])
  })

  test('200 items in a bulk call', () => {
    const remove = (count: number) => TriggerBulkRemove.parse({ fullnames: list(count).map(String) })
    expect(overLimits('removeTriggers', remove(200), defaultLimits)).toEqual([])
    expect(overLimits('removeTriggers', remove(201), defaultLimits)).toEqual([
      { path: 'fullnames', message: 'must have at most 200 items' },
    ])
  })
})

test('bytes are those of UTF-8, not characters', () => {
  const limits = { ...defaultLimits, scriptBytes: 8 }
  expect(over({ activation: '"éé"+1' }, limits)).toEqual([])
  expect(over({ activation: '"ééé"+1' }, limits)).toEqual(['activation.source'])
})

test('every exceeded limit is reported, at most a hundred', () => {
  const none = { ...defaultLimits, tags: 0, labels: 0, providers: 0, scriptBytes: 1, triggerBytes: 1 }
  const change = { tags: ['t'], labels: { k: 'v' }, providers: [{ ...provider(0), source: '12' }] }
  expect(over(change, none)).toEqual(['tags', 'labels', 'providers', 'providers.0.source', ''])
  expect(over({ providers: list(200).map((n) => ({ ...provider(n), source: '12' })) }, none)).toHaveLength(100)
})

test('a definition inside another payload is checked, with the path inside that payload', () => {
  const definition = TriggerSave.parse({ ...least, tags: ['a', 'b'] })
  const strict = { ...defaultLimits, tags: 1, triggerBytes: 1 }
  const body = { definition, lastBlocks: 1, samples: 0 }
  expect(overLimits('backtestTrigger', body, strict).map(({ path }) => path)).toEqual(['definition.tags', 'definition'])
  expect(overLimits('backtestTrigger', body, defaultLimits)).toEqual([])
})

test('an unfinished draft is checked too, wherever its JavaScript is', () => {
  const draft = TriggerDraftSave.parse({
    ...least,
    activation: { language: 'javascript', source: 'return (' },
    transform: { raw: 'raw (', source: 'both' },
    providers: [
      { type: 'javascript', source: 'long' },
      { type: 'evm_read', source: 'common.ethereum' },
    ],
  })
  expect(overScripts(draft, { ...defaultLimits, scriptBytes: 3 }).map(({ path }) => path)).toEqual([
    'activation.source',
    'transform.source',
    'transform.raw',
    'providers.0.source',
  ])
})
