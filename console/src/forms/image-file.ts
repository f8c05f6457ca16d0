/** A file in the format of the API: base64 with name and type. */
export async function readImage(file: File): Promise<{ filename: string; contentType: string; data: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In chunks, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return { filename: file.name, contentType: file.type, data: btoa(binary) }
}

export const imageTypes = 'image/png,image/jpeg,image/webp'
