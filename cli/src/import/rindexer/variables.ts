/** rindexer writes a variable of the environment as `${NAME}`, the files of a stack as `${env:NAME}`. */
export function withEnv(text: string): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_whole, name: string) => `\${env:${name}}`)
}
