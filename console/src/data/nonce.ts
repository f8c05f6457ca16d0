/** Styles that components write at run time carry the nonce of the page, or its policy refuses them. */
export const nonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Where the library that stops the page from scrolling behind a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce })
