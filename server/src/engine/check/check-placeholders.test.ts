import { expect, test } from 'vitest'
import { checkPlaceholders } from './check-placeholders.ts'

const scope = { inputs: new Set(['wallet']), providers: new Set(['price']) }
const messages = (text: string) => checkPlaceholders({ url: text }, 'providers.0', scope).map((issue) => issue.message)

test.each([
  'no placeholder',
  '{{source.params.to}} and {{ input.block.number }}',
  '{{source}}',
  '{{source.topics.0}} {{source.topics[0]}}',
  '{{inputs.wallet}}',
  '{{inputs.wallet?}}',
  '{{inputs.other?}}',
  '{{providers.price.usd}}',
  '{"a":{"b":{{source.x}}}}',
  'query { a { b }}',
])('resolves: %s', (text) => expect(messages(text)).toEqual([]))

test.each([
  ['{{inputs.other}}', '{{inputs.other}}: there is no such input'],
  ['{{providers.later.x}}', '{{providers.later.x}}: no provider before this one has that id'],
  ['{{providers}}', '{{providers}}: name the provider'],
  ['{{secret.x}}', '{{secret.x}}: a placeholder begins with source, input, inputs or providers'],
  ['{{raw.x}}', '{{raw.x}}: a placeholder begins with source, input, inputs or providers'],
  ['{{}}', 'has a malformed placeholder: {{}}'],
  ['{{source..x}}', 'has a malformed placeholder: {{source..x}}'],
  ['{{source.x', 'has a placeholder that is not closed: {{source.x'],
])('is refused: %s', (text, message) => expect(messages(text)).toEqual([message]))

test('strings are found at any depth, and issues name their path', () => {
  const body = { list: [{ to: '{{nope.x}}' }] }
  expect(checkPlaceholders({ id: '{{nope}}', body }, 'p', scope, new Set(['id'])).map((issue) => issue.path)).toEqual([
    'p.body.list.0.to',
  ])
})

test('if the scope is unknown, every name is accepted', () => {
  expect(checkPlaceholders('{{inputs.any}} {{providers.any.x}}', 'p', {})).toEqual([])
})

test('a text of unclosed braces is read in linear time', () => {
  expect(checkPlaceholders('{{'.repeat(100_000), 'p', scope)).toHaveLength(1)
})

test('more placeholders in a text than a function can have arguments have the first issues', () => {
  const issues = checkPlaceholders('{{x}}'.repeat(150_000), 'a', { inputs: new Set() })
  expect(issues).toHaveLength(20)
})
