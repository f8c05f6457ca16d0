/** `${events.0.args.value}` reads the same path in the output of the imported trigger. */
export function templateFrom(text: string): string {
  return text.replaceAll(
    /\$\{([^{}]+)\}/g,
    (_whole, path: string) => `{{raw.${path.trim().split('.').map(segment).join('.')}}}`,
  )
}

function segment(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `[${name}]`
}
