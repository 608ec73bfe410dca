<?php
declare(strict_types=1);

namespace Tablegram;

defined( 'ABSPATH' ) || exit;

/** What the shop's owner has set. */
final class Settings {
	public const OPTION = 'tablegram';

	public function url(): string {
		return (string) ( $this->all()['url'] ?? '' );
	}

	public function secret(): string {
		return (string) ( $this->all()['secret'] ?? '' );
	}

	/** Whether carts are sent, and customers asked whether they want to be reminded. */
	public function sends_carts(): bool {
		return (bool) ( $this->all()['carts'] ?? false );
	}

	public function is_ready(): bool {
		return '' !== $this->url() && '' !== $this->secret();
	}

	/**
	 * What was typed into the form, made sane. A secret that is left empty stays as it is: it is never shown again.
	 *
	 * @param mixed $typed What the form sent.
	 * @return array<string, mixed>
	 */
	public function cleaned( $typed ): array {
		$typed = is_array( $typed ) ? $typed : array();
		$url   = trim( (string) ( $typed['url'] ?? '' ) );
		if ( '' !== $url && ! preg_match( '~^https?://[^\s/]+/hooks/store/woocommerce/[A-Za-z0-9_-]+$~', $url ) ) {
			add_settings_error( self::OPTION, 'url', __( 'Copy the whole address from the page of the source in Tablegram.', 'tablegram' ) );
			$url = $this->url();
		}
		$secret = trim( (string) ( $typed['secret'] ?? '' ) );
		return array(
			'url'    => $url,
			'secret' => '' === $secret ? $this->secret() : $secret,
			'carts'  => ! empty( $typed['carts'] ),
		);
	}

	/** @return array<string, mixed> */
	private function all(): array {
		$kept = get_option( self::OPTION, array() );
		return is_array( $kept ) ? $kept : array();
	}
}
