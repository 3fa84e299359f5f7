package main

import (
	"errors"
	"fmt"
	"path/filepath"
)

// tags returns the tags of the release. The tag of a module begins with the module's folder.
func (r *release) tags() []string {
	tags := []string{"v" + r.version}
	for _, dir := range published {
		tags = append(tags, dir+"/v"+r.version)
	}
	return tags
}

// finish writes the steps that remain, and the sums of all files.
func (r *release) finish() error {
	all, err := workspace(r.tree)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("# What remains to publish rustgo %s\n\nNothing here is uploaded yet. SHA256SUMS has the sums of all files.\n\n1. Tag the commit and push the tags:\n\n", r.version)
	for _, tag := range r.tags() {
		text += fmt.Sprintf("       git tag -a %s -m %q\n", tag, "rustgo "+r.version)
	}
	text += "\n2. Serve the contents of pages/ at https://" + domain + "/, modules/ and releases/ below it, and the result of make site as https://" + domain + "/book/.\n" +
		"3. Check that the go command finds the modules:\n\n"
	for _, dir := range published {
		text += fmt.Sprintf("       GOPROXY=direct go list -m %s/%s@v%s\n", domain, dir, r.version)
	}
	text += "\n4. Publish the crates in this order. The files in crates/ have the licences, the profile and the sources of the Go module, which a package made in\n" +
		"   the checkout lacks, so unpack each and publish it from there:\n\n"
	for _, c := range inOrder(all) {
		text += fmt.Sprintf("       tar -xzf crates/%s-%s.crate && (cd %s-%s && cargo publish)\n", c.Name, r.version, c.Name, r.version)
	}
	text += "\n5. Change the notes that the project is not published: README.md, docs/guide.md, docs/go-packages.md, packages/*/README.md.\n"
	if err := write(filepath.Join(r.out, "UPLOAD.md"), text); err != nil {
		return err
	}
	list, err := sums(r.out)
	if err != nil {
		return err
	}
	r.say("everything is in %s; UPLOAD.md there lists the steps that remain", r.out)
	return errors.Join(write(filepath.Join(r.out, "SHA256SUMS"), list))
}
