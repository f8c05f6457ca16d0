import type { AlertPolicy } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { showDecision } from './decided.ts'

const since = '2026-11-19T12:00:00.000Z'
const at = 'Since 2026-11-19 12:00:00 UTC.'
const cases: [AlertPolicy, string, string][] = [
  [
    { type: 'threshold', bound: '100', value: '50.123456', for: '10m', since },
    'ETH',
    `The value is 50.1235 ETH, the bound 100 ETH, for 10 minutes. ${at}`,
  ],
  [{ type: 'threshold', bound: 100, value: 120, since }, '', `The value is 120, the bound 100. ${at}`],
  [
    { type: 'change', bound: '10%', value: '875000', previous: '1000000', changePercent: -12.5, within: '1h', since },
    'USDC',
    `It fell from 1,000,000 USDC to 875,000 USDC, by 12.5 % within 1 hour, the bound 10%. ${at}`,
  ],
  [
    { type: 'rate', bound: 5, value: '110', previous: '100', within: '1d', since },
    '',
    `It rose from 100 to 110 within 1 day, the bound 5. ${at}`,
  ],
  [{ type: 'count', bound: 5, count: 7, within: '10m', since }, 'ETH', `7 came within 10 minutes, the bound 5. ${at}`],
  [{ type: 'absence', within: '5m', since, lastAt: since }, '', 'The last one came at 2026-11-19 12:00:00 UTC.'],
  [{ type: 'monitor', for: '1h', since }, '', `It held for 1 hour. ${at}`],
  [
    { type: 'throttle', within: '1m', since, suppressed: 1200 },
    '',
    '1,200 more came since 2026-11-19 12:00:00 UTC and were not sent.',
  ],
  [{ type: 'throttle', within: '1m', since, suppressed: 0 }, '', ''],
]

test.each(cases)(
  '%j with the unit “%s” is told with unit, bound, earlier value, count and time',
  (policy, unit, text) => expect(showDecision(policy, unit)).toBe(text),
)

test('what is no decision of a policy says nothing', () => {
  for (const none of [undefined, null, {}, { type: 'threshold' }, 'text', 5]) expect(showDecision(none, 'ETH')).toBe('')
})
