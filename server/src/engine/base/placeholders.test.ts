import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderPlaceholders, renderText, splitPlaceholders } from './placeholders.ts'

const scope = {
  source: {
    params: { to: '0xabc', value: '123456789012345678901234567890' },
    topics: ['a', 'b'],
    block: { number: 7 },
  },
  inputs: { wallet: '0xdef', limit: 5, flag: false, nothing: null, text: 'a b/c' },
  providers: { price: { usd: 1.5, list: [{ id: 1 }] } },
}
const rendered = (value: unknown) => renderPlaceholders(value, scope)

test.each([
  ['{{source.params.to}}', '0xabc'],
  ['{{input.params.to}}', '0xabc'],
  ['{{ inputs.limit }}', 5],
  ['{{inputs.flag}}', false],
  ['{{inputs.nothing}}', null],
  ['{{source.topics[1]}}', 'b'],
  ['{{source.topics.0}}', 'a'],
  ['{{providers.price.list[0].id}}', 1],
  ['{{providers.price}}', scope.providers.price],
  ['{{source}}', scope.source],
  ['{{inputs.missing?}}', null],
  ['{{source.a.b.c?}}', null],
  ['a {{inputs.limit}} b {{inputs.flag}}', 'a 5 b false'],
  ['[{{inputs.missing?}}]', '[]'],
  ['x{{providers.price.list}}', 'x[{"id":1}]'],
  ['{{source.params.value}}!', '123456789012345678901234567890!'],
  ['no placeholder', 'no placeholder'],
])('%s gives %j', (text, value) => expect(rendered(text)).toEqual({ ok: true, value }))

test('strings are filled in at any depth, and keys are not', () => {
  expect(rendered({ a: ['{{inputs.limit}}', { b: 'to {{inputs.wallet}}' }], '{{x}}': 1, n: null })).toEqual({
    ok: true,
    value: { a: [5, { b: 'to 0xdef' }], '{{x}}': 1, n: null },
  })
})

test.each([
  '{{source.missing}}',
  '{{source.params.to.length}}',
  '{{source.topics.length}}',
  '{{source.topics.-1}}',
  '{{source.constructor}}',
  '{{source.__proto__}}',
  '{{inputs.toString}}',
  '{{inputs.nothing.more}}',
  '{{providers.later}}',
])('%s is unresolved, and the issue names it', (text) => {
  expect(rendered({ body: { list: [text] } })).toEqual({
    ok: false,
    issue: { path: 'body.list.0', message: expect.stringContaining(text) },
  })
})

test.each(['{{', '{{source.x', '{{}}', '{{source..x}}', '{{{source.x}}}'])('%s is refused', (text) => {
  expect(rendered(text)).toMatchObject({ ok: false })
})

test('only the values of placeholders are encoded, not the text around them', () => {
  const encode = (value: unknown) => encodeURIComponent(String(value))
  expect(renderText('https://x/{{inputs.text}}?a=b c', scope, encode)).toEqual({
    ok: true,
    value: 'https://x/a%20b%2Fc?a=b c',
  })
})

test('joining the pieces gives the text again', () => {
  const part = fc.constantFrom('{', '}', '{{', '}}', 'source.a', '?', ' ', 'x')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('')
      const again = splitPlaceholders(text).map((piece) =>
        piece.kind === 'placeholder' ? `{{${piece.content}}}` : piece.text,
      )
      expect(again.join('')).toBe(text)
    }),
  )
})
