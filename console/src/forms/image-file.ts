/** A chosen file as the API takes it: base64 with its name and type. */
export async function readImage(file: File): Promise<{ filename: string; contentType: string; data: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return { filename: file.name, contentType: file.type, data: btoa(binary) }
}

export const imageTypes = 'image/png,image/jpeg,image/webp'
