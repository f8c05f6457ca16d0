import { Button, FileButton } from '@mantine/core'
import { IconImage } from '../components/icons.tsx'

type ImageButtonProps = {
  verb: string
  isBusy: boolean
  /** Uploads the image. The caller shows the error. */
  send: (image: Awaited<ReturnType<typeof readImage>>) => Promise<unknown>
}

/** A button that opens the file dialog and uploads the chosen image. */
export function ImageButton({ verb, isBusy, send }: ImageButtonProps) {
  const choose = async (file: File | null) => {
    if (file) await send(await readImage(file)).catch(() => undefined)
  }
  return (
    <FileButton
      accept={imageTypes}
      onChange={(file) => void choose(file)}
      inputProps={{ 'aria-label': verb, tabIndex: -1 }}
    >
      {(props) => (
        <Button variant="default" leftSection={<IconImage />} loading={isBusy} {...props}>
          {verb}
        </Button>
      )}
    </FileButton>
  )
}

/** A file in the format of the API: base64 with name and type. */
export async function readImage(file: File): Promise<{ filename: string; contentType: string; data: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In chunks, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return { filename: file.name, contentType: file.type, data: btoa(binary) }
}

const imageTypes = 'image/png,image/jpeg,image/webp'
