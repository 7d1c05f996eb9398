// A page is built into one HTML file without any reference to another: scripts and styles are written into it. The
// environment variable SINEW_PAGE names the page, `viewer` or `studio`.
import { defineConfig, type Plugin } from 'vite';

/** Puts the one script and the one style sheet of the bundle into the page. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const page = files.find(f => f.fileName.endsWith('.html'));
      if (page?.type !== 'asset') throw new Error('the bundle has no page');
      let html = String(page.source);
      for (const file of files) {
        if (file === page) continue;
        const text = file.type === 'chunk' ? file.code : String(file.source);
        // a function as replacement: `$` in the text stands for itself
        if (file.type === 'chunk') {
          // nothing in a script may look like its end
          const script = text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
          html = html.replace(tag('script', file.fileName), () => `<script type="module">${script}</script>`);
        } else if (file.fileName.endsWith('.css')) {
          html = html.replace(tag('link', file.fileName), () => `<style>${text}</style>`);
        } else {
          throw new Error(`${file.fileName}: only scripts and styles can be put into the page`);
        }
        delete bundle[file.fileName];
      }
      page.source = html;
    },
  };
}

/** The element that refers to a file of the bundle. */
function tag(name: string, file: string): RegExp {
  const escaped = file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = name === 'script' ? '</script>' : '';
  return new RegExp(`<${name}[^>]*(?:src|href)="[^"]*${escaped}"[^>]*>${end}`);
}

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: `${process.env.SINEW_PAGE ?? 'studio'}.html` },
  },
  plugins: [oneFile()],
});
