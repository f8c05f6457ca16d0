import type { Message } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { amountIn } from '../console/src/layouts/alert/amount.ts'
import { policies } from '../contract/src/triggers/policies/index.ts'
import {
  decisions,
  runSamples,
  type ShownInChannels,
  showAbsence,
  showDigest,
  showMessage,
} from '../scripts/reference/messages-page.ts'
import { formatUnits } from '../server/src/engine/base/decimals.ts'
import { messageContext, renderMessage } from '../server/src/engine/message/index.ts'
import { noNetwork } from '../server/src/engine/render/render-template.ts'
import { faultsOf } from './harness/message-faults.ts'

const samples = await runSamples()

/** All texts that people see in a channel, and those of the webhook. */
function textsOf({ message, channels }: ShownInChannels): string[] {
  const shown = channels.flatMap(({ shown }) => (shown ? [shown.title, shown.text, shown.footer ?? ''] : []))
  return [message.title, message.short ?? '', message.long ?? '', ...shown]
}

function wrongIn(one: ShownInChannels): string[] {
  const faults = textsOf(one).flatMap((text) => faultsOf(text).map((fault) => `${one.name}: ${fault} in “${text}”`))
  const lacks = one.channels.filter(
    ({ shown, body }) => one.network !== null && !(shown?.footer ?? JSON.stringify(body)).includes(one.network),
  )
  return [...faults, ...lacks.map(({ blueprint }) => `${one.name}: ${blueprint} says no network`)]
}

test.each(samples.map((sample) => [sample.action.type, sample] as const))(
  'the message of %s says everything, without a policy and with each',
  (_, sample) => {
    const all = [undefined, ...Object.values(decisions)].map((policy) => showMessage(sample, policy))
    expect(all.flatMap(wrongIn)).toEqual([])
    for (const { channels } of all)
      for (const { shown } of channels) if (shown) expect(shown.links.at(-1)?.title).toBe('Alert')
  },
)

test('a message says what each policy decided by, and a digest how many it tells of', () => {
  const [first] = samples
  if (!first) throw new Error('There are no samples.')
  const known = ['filter', 'digest', ...Object.keys(decisions)]
  expect(policies.map(({ type }) => type).filter((type) => !known.includes(type))).toEqual([])
  for (const policy of Object.values(decisions)) {
    const { short = '', long = '' } = showMessage(first, policy).message
    for (const text of [short, long]) expect([policy.type, text.split('\n').length > 1]).toEqual([policy.type, true])
  }
  const silence = showAbsence(first)
  expect([silence.message.short, wrongIn(silence)]).toEqual(['Nothing came since 2026-11-19T11:50:00.000Z.', []])
  const digest = showDigest([showMessage(first)])
  expect([digest.message.title, wrongIn(digest)]).toEqual(['Transfers: 40 alerts', []])
})

/** Amounts with 18 and 6 decimals, a huge one and tiny ones. */
test.each([
  ['1234567890123456789', 18, '1.2346'],
  ['999999999999999999', 18, '1'],
  ['1250512345', 6, '1,250.5123'],
  ['123456789012345678901234567890123456789', 18, '123,456,789,012,345,678,901.2346'],
  ['1', 18, '0.000000000000000001'],
  ['12678', 9, '0.000013'],
])('the amount %s with %i decimals reads the same in titles, rows and big figures', (amount, decimals, shown) => {
  const symbol = 'TKN'
  const raw = { units: amount, whole: formatUnits(amount, decimals), symbol }
  const context = messageContext({
    trigger: { title: 'T', fullname: 'a.b.c', project: 'a.b' },
    item: {},
    output: { raw, human: raw },
  })
  const network = { ...noNetwork, tokenOf: () => ({ symbol, decimals }) }
  const texts = { title: '{{token raw.units}} moved', short: '{{number raw.whole}} {{raw.symbol}}' }
  const { message } = renderMessage(texts, context, { network })
  expect([message.title, message.short]).toEqual([`${shown} TKN moved`, `${shown} TKN`])
  expect(amountIn(message.title)).toEqual({ value: shown, unit: 'TKN' })
})

const good: Message = {
  title: 'Role MINTER_ROLE was granted to Treasury',
  short: '1,250.5 USDC moved from Ann to 0xd4d4…d4d4',
}
test.each([
  ['a bare hash', `Transaction 0x${'ab'.repeat(32)}`],
  ['a bare hash', `sent to 0x${'AB'.repeat(20)}.`],
  ['an integer with more than 15 digits', 'value: 1250500000000000000000'],
  ['a double space', '5 USDC moved  to Ann'],
  ['the word undefined', 'undefined moved'],
  ['a double space', '5 USDC moved from  to Ann'],
  ['an empty place', '5 USDC moved from'],
  ['an empty place', 'The price () is 5'],
  ['a placeholder', 'Sent by {{raw.from}}'],
])('the test finds %s in “%s”', (fault, text) => expect(faultsOf(text)).toContain(fault))

test('the test finds nothing in good texts', () => {
  for (const text of [good.title, good.short ?? '']) expect(faultsOf(text)).toEqual([])
})
