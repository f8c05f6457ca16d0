/** Copies text to the clipboard. Pages loaded by plain HTTP have no `navigator.clipboard`, only `execCommand`. */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyByCommand(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  let isCopied = false
  const handle = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isCopied = true
  }
  document.addEventListener('copy', handle)
  document.execCommand('copy')
  document.removeEventListener('copy', handle)
  return isCopied
}
