/** The event data are a part of the output, so `{{from}}` becomes `{{raw.event_data.from}}`. */
export function templateFrom(text: string): string {
  return text.replaceAll(/\{\{([^{}]+)\}\}/g, (whole, placeholder: string) => {
    const call = /^\s*format_value\(([^,()]+),\s*(\d+)\s*\)\s*$/.exec(placeholder)
    if (call) return `{{format ${pathOf(call[1] ?? '')} decimals=${call[2]}}}`
    return /^[\s\w.]+$/.test(placeholder) ? `{{${pathOf(placeholder)}}}` : whole
  })
}

function pathOf(text: string): string {
  const steps = text.trim().split('.')
  return ['raw', 'event_data', ...steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : step))].join('.')
}

/** The body of a stream, with one event in the list. */
export const streamBody = `{${['event_name', 'event_signature_hash', 'network', 'block_number']
  .map((field) => `"${field}": {{raw.${field}}}`)
  .join(', ')}, "event_data": [{{raw.event_data}}]}`
