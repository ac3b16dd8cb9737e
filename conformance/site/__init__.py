"""The site: static pages made from a matrix, which need no network and no script."""
