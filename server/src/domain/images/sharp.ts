type SharpModule = typeof import('sharp')['default']

let loading: Promise<SharpModule> | undefined

/** Loads the decoder with the first upload: it takes tens of megabytes, and most servers never get an upload. */
export function loadSharp(): Promise<SharpModule> {
  loading ??= load()
  return loading
}

async function load(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // libvips reads dozens of formats. It may try only the three accepted ones on untrusted bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
  return sharp
}
