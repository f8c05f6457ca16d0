import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Phrases that readers of the console had to read twice. The plain words that replaced them stay. */
const replaced = [
  'What your subscriptions were told',
  'listed only',
  'Waiting for its digest',
  'See how it came about',
  'How it came about',
  'it said yes',
  'none were given',
  'to be sent',
  'Send all again',
  'On its way again',
  'What to hear',
  'title="Where to"',
  'Turn it on',
  'Change something',
  'When it lasts',
  'At most once in a while',
  'Counted separately for',
  'As the trigger says',
  'stays silent on this sample',
  'Changes count from the step',
  'Keep it as it is',
  'That did not work',
  'Not tested as it stands',
  'beside what is published',
  'Fit the rest',
  'Run as it stands',
  'Empty: as the raw output',
  'null tells nothing',
  'Human output',
  'How often one subscription is told',
  'a failure gives null',
  'Of this workspace',
  'All that triggers can use',
  'Rehearse a status change',
  'Blocks waiting at most',
  'Head seen',
  'Who works here',
  'Whoever opens',
  'Make a secret',
  'Small letters',
  'Chosen at first',
  'What runs here',
  'Store reachable',
  'A timer rings',
  'Secure destination setup is not enabled',
  'The payload is not valid',
]

const files = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) => !file.includes('.test.'))
const texts = files.map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }))

test('no page uses a phrase that was replaced', () => {
  const found = replaced.flatMap((phrase) =>
    texts.filter(({ text }) => text.includes(phrase)).map(({ file }) => `${file}: ${phrase}`),
  )
  expect(found).toEqual([])
})

test('people read “destination”, never “resource”', () => {
  const shown = /(?:label|title|text|about|placeholder|description|notice|verb)[:=]\s*\{?["'`][^"'`\n]*\bresources?\b/i
  const withoutCode = (text: string) => text.replaceAll(/\$\{[^}]*\}/g, '')
  expect(texts.filter(({ text }) => shown.test(withoutCode(text))).map(({ file }) => file)).toEqual([])
})
