import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Rules of DESIGN.md that a reader of one file cannot see. */

const here = import.meta.dirname
const files = globSync('**/*.{ts,tsx,css}', { cwd: here }).filter((file) => !file.includes('.test.'))
const textOf = (file: string) => readFileSync(join(here, file), 'utf8')

test('every Mantine component that a file imports has its styles in the first load', () => {
  const styles = fileURLToPath(import.meta.resolve('@mantine/core/styles.layer.css')).replace(/\.layer\.css$/, '')
  const loaded = textOf('mantine-styles.ts')
  const used = files.flatMap((file) =>
    [...textOf(file).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    ),
  )
  const styled = [...new Set(used)].filter((name) => existsSync(join(styles, `${name}.layer.css`)))
  expect(styled.length).toBeGreaterThan(20)
  expect(styled.filter((name) => !loaded.includes(`/${name}.layer.css'`))).toEqual([])
})

test('the styles of Mantine components are in the order of its whole stylesheet', () => {
  const whole = fileURLToPath(import.meta.resolve('@mantine/core/styles.layer.css'))
  const names = [...textOf('mantine-styles.ts').matchAll(/styles\/([A-Z]\w+)\.layer\.css/g)].map(
    ([, name = '']) => name,
  )
  const text = readFileSync(whole, 'utf8')
  const placeOf = (name: string) => {
    const styles = readFileSync(whole.replace(/\.layer\.css$/, `/${name}.layer.css`), 'utf8')
    return text.indexOf(/\.m_[0-9a-f]+/.exec(styles)?.[0] ?? '-')
  }
  expect(names.length).toBeGreaterThan(20)
  expect(names.toSorted((a, b) => placeOf(a) - placeOf(b))).toEqual(names)
})

test('every CSS variable that a style uses is defined', () => {
  const all = files.map(textOf).join('\n')
  const defined = new Set([...all.matchAll(/['"{;\s](--[\w-]+)['"]?\s*:/g)].map(([, name]) => name))
  const used = files.flatMap((file) =>
    [...textOf(file).matchAll(/var\((--[\w-]*\w)[),]/g)].map(([, name = '']) => ({ file, name })),
  )
  expect(used.filter(({ name }) => !name.startsWith('--mantine-') && !defined.has(name))).toEqual([])
})

/** Colours that are no part of the design language: the logo, code, initials, network marks and QR codes. */
const ownColours =
  /^(tokens\.css|theme\.ts|editor\/editor-theme\.ts|components\/(icons\.tsx|picture\.tsx|json-view\.module\.css|picture\.module\.css)|layouts\/watch\/network-mark\.module\.css|layouts\/destination\/(qr-code\.tsx|destination\.module\.css))$/

test('components use the colours of the tokens, not their own', () => {
  const own = files.filter(
    (file) => !ownColours.test(file) && /(?<!\/)#(?:[0-9a-f]{3}|[0-9a-f]{6})\b|\brgba?\(|\bhsla?\(/i.test(textOf(file)),
  )
  expect(own).toEqual([])
})
