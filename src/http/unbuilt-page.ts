/** What stands in for the dashboard where it has not been built: plain, because nothing else of it is there. */

export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Legion: no dashboard</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The daemon runs; only its pages are missing.</p>
<p>In a clone of Legion it is being built right after <code>legion up</code>: load this page again in a few seconds.
If it stays like this, run <code>legion open</code>, which builds it and says what is wrong, or <code>npm install --include=dev</code> first.</p>
<p>In an installed Legion the installation is incomplete: install it again.</p>
<p>Until then <code>legion watch</code> shows the same in a terminal.</p>
</body>
</html>
`;
