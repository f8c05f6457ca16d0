import { expect, test } from 'vitest'
import { whyNotLinear } from './linear-regex.ts'

test.each([
  '(?=a)',
  '(?<!a)',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '(?i:a)',
  'a{1000}',
  'a{1,5000}',
  '(',
  'a'.repeat(1001),
  nested(51),
])('%s cannot be used', (source) => expect(whyNotLinear(source)).toBeTypeOf('string'))

test.each(['^0x[0-9a-f]{40}$', 'a{2,5}', '(?:ab)+', '[(?=]', '\\\\1', '(?<name>a)', 'a{999}', nested(50)])(
  '%s can be used',
  (source) => expect(whyNotLinear(source)).toBeUndefined(),
)

function nested(levels: number): string {
  return `${'('.repeat(levels)}a${')'.repeat(levels)}`
}
