/** `${env:NAME}` in a text stands for a variable of the environment. `$${env:NAME}` is the text itself. */
const pattern = /\$?\$\{env:([^{}]*)\}/g
const isName = /^[A-Za-z_][A-Za-z0-9_]*$/

export type Env = Readonly<Record<string, string | undefined>>
export type Filled = { text: string; names: string[]; problems: string[] }

/** Fills in the variables of a text. An empty variable counts as missing: CI sets a secret that does not exist to ''. */
export function fillVariables(text: string, env: Env): Filled {
  const names: string[] = []
  const problems: string[] = []
  const filled = text.replace(pattern, (found: string, name: string) => {
    if (found.startsWith('$$')) return found.slice(1)
    if (!isName.test(name)) {
      problems.push(`"${found}" does not name a variable: write \${env:NAME}`)
      return found
    }
    names.push(name)
    const value = env[name]
    if (!value) problems.push(`the variable ${name} is not set`)
    return value || found
  })
  return { text: filled, names, problems }
}

export function hasVariables(text: string): boolean {
  return [...text.matchAll(pattern)].some(([found]) => !found.startsWith('$$'))
}

/** The text as a file must write it, so that no part of it is taken for a variable. */
export function escapeVariables(text: string): string {
  return text.replace(/\$\{env:/g, '$$${env:')
}

export function variable(name: string): string {
  return `\${env:${name}}`
}
