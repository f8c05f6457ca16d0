/** Puts a text on the clipboard. Pages that came by plain HTTP have no clipboard of their own, only the old command. */
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
  let isTaken = false
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isTaken = true
  }
  document.addEventListener('copy', give)
  document.execCommand('copy')
  document.removeEventListener('copy', give)
  return isTaken
}
