/** How the dashboard is built: hashed files below /ui/, nothing inline, so that the strictest content policy holds. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Browsers of 2024 and later: `light-dark()` and the popover API are there, and nothing has to be rewritten. */
const BROWSERS = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

// The caller gives `build.outDir`.
// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  publicDir: false,
  plugins: [react()],
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    emptyOutDir: true,
    sourcemap: false,
    // A file inlined as `data:` is refused for fonts, scripts and styles.
    assetsInlineLimit: 0,
    // Every browser above preloads modules by itself; the polyfill would be one more script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
