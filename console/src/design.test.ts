import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Rules of DESIGN.md that a reader of one file cannot see. */

const here = import.meta.dirname
const files = globSync('**/*.{ts,tsx,css}', { cwd: here }).filter((file) => !file.includes('.test.'))
const textOf = (file: string) => readFileSync(join(here, file), 'utf8')

const wholeStyles = fileURLToPath(import.meta.resolve('@mantine/core/styles.layer.css'))
const styleFiles = wholeStyles.replace(/\.layer\.css$/, '')
/** The components whose styles a list loads. */
const stylesIn = (list: string) =>
  [...textOf(list).matchAll(/core\/styles\/([A-Z]\w+)\.layer\.css/g)].map(([, name = '']) => name)
const firstStyles = stylesIn('mantine-styles.ts')
const shellStyles = stylesIn('shell/shell-styles.ts')

/** The Mantine components with styles that files import. */
function componentsIn(files: string[]): string[] {
  const used = files.flatMap((file) =>
    [...textOf(file).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    ),
  )
  return [...new Set(used)].filter((name) => existsSync(join(styleFiles, `${name}.layer.css`)))
}

/** A file and all files that it imports statically. */
function importedFrom(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, path = ''] of textOf(file).matchAll(/from '(\.[^']+\.tsx?)'/g))
    importedFrom(join(file, '..', path), seen)
  return seen
}

test('every Mantine component that a file imports has its styles', () => {
  const used = componentsIn(files)
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => ![...firstStyles, ...shellStyles].includes(name))).toEqual([])
})

test('pages without the shell use only components whose styles are in the first load', () => {
  const [, visitors = ''] = /const visitorPages = \[(.*?)\] as const/s.exec(textOf('routes.ts')) ?? []
  const lazy = [...visitors.matchAll(/'\.\/([^']+\.tsx)'/g)].map(([, name = '']) => name)
  const pages = ['pages/accounts/sign-in.tsx', ...lazy]
  expect(pages.length).toBeGreaterThan(3)
  const entries = ['main.tsx', 'pages/accounts/other-sign-ins.tsx', ...pages]
  const used = componentsIn(entries.flatMap((entry) => [...importedFrom(entry)]))
  expect(used).toContain('PasswordInput')
  expect(used.filter((name) => !firstStyles.includes(name))).toEqual([])
})

test.each([
  ['mantine-styles.ts', firstStyles],
  ['shell-styles.ts', shellStyles],
])('the styles in %s are in the order of the whole stylesheet of Mantine', (_, names) => {
  const text = readFileSync(wholeStyles, 'utf8')
  const placeOf = (name: string) => {
    const styles = readFileSync(join(styleFiles, `${name}.layer.css`), 'utf8')
    return text.indexOf(/\.m_[0-9a-f]+/.exec(styles)?.[0] ?? '-')
  }
  expect(names.length).toBeGreaterThan(10)
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

/** Colours that are no part of the design language: the logo, code, initials and QR codes. */
const ownColours =
  /^(tokens\.css|theme\.ts|editor\/editor-theme\.ts|components\/(first-icons\.tsx|picture\.tsx|json-view\.module\.css|picture\.module\.css)|layouts\/destination\/(qr-code\.tsx|destination\.module\.css))$/

test('components use the colours of the tokens, not their own', () => {
  const own = files.filter(
    (file) => !ownColours.test(file) && /(?<!\/)#(?:[0-9a-f]{3}|[0-9a-f]{6})\b|\brgba?\(|\bhsla?\(/i.test(textOf(file)),
  )
  expect(own).toEqual([])
})
