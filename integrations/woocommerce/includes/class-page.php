<?php
declare(strict_types=1);

namespace Tablegram;

defined( 'ABSPATH' ) || exit;

/** WooCommerce → Tablegram: the address, the secret, carts, and a test. */
final class Page {
	private const TEST = 'tablegram_test';

	public function __construct( private Settings $settings, private Outbox $outbox ) {}

	public function listen(): void {
		add_action( 'admin_menu', array( $this, 'add' ), 60 );
		add_action( 'admin_init', array( $this, 'register' ) );
		add_action( 'admin_post_' . self::TEST, array( $this, 'test' ) );
	}

	public function add(): void {
		add_submenu_page( 'woocommerce', 'Tablegram', 'Tablegram', 'manage_woocommerce', 'tablegram', array( $this, 'show' ) );
	}

	public function register(): void {
		register_setting( 'tablegram', Settings::OPTION, array( 'sanitize_callback' => array( $this->settings, 'cleaned' ) ) );
	}

	public function show(): void {
		$name = esc_attr( Settings::OPTION );
		echo '<div class="wrap"><h1>Tablegram</h1>';
		settings_errors( Settings::OPTION );
		echo '<p>' . esc_html__( 'In Tablegram, open Shops and forms, connect WooCommerce, and copy the address and the secret.', 'tablegram' ) . '</p>';
		echo '<form method="post" action="options.php">';
		settings_fields( 'tablegram' );
		echo '<table class="form-table" role="presentation">';
		printf(
			'<tr><th scope="row"><label for="tg-url">%s</label></th><td><input id="tg-url" class="regular-text code" type="url" name="%s[url]" value="%s" required></td></tr>',
			esc_html__( 'Address', 'tablegram' ),
			$name, // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped above.
			esc_attr( $this->settings->url() )
		);
		printf(
			'<tr><th scope="row"><label for="tg-secret">%s</label></th><td><input id="tg-secret" class="regular-text" type="password" name="%s[secret]" value="" autocomplete="off" placeholder="%s"></td></tr>',
			esc_html__( 'Secret', 'tablegram' ),
			$name, // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped above.
			esc_attr( '' === $this->settings->secret() ? '' : __( 'Kept. Type a new one to change it.', 'tablegram' ) )
		);
		printf(
			'<tr><th scope="row">%s</th><td><label><input type="checkbox" name="%s[carts]" value="1"%s> %s</label></td></tr>',
			esc_html__( 'Carts', 'tablegram' ),
			$name, // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- escaped above.
			$this->settings->sends_carts() ? ' checked' : '',
			esc_html__( 'Send carts, and ask customers at the checkout whether they want to be reminded.', 'tablegram' )
		);
		echo '</table>';
		submit_button();
		echo '</form>';
		if ( $this->settings->is_ready() ) {
			$this->show_test();
		}
		echo '</div>';
	}

	/** Send a cart that nobody can be reached by: it shows up in Tablegram's log, and reaches no customer. */
	public function test(): void {
		check_admin_referer( self::TEST );
		if ( ! current_user_can( 'manage_woocommerce' ) ) {
			wp_die( esc_html__( 'You may not do that.', 'tablegram' ), '', array( 'response' => 403 ) );
		}
		$wrong = $this->outbox->post(
			'checkout.updated',
			(string) wp_json_encode( array( 'token' => 'test-' . time(), 'date_modified_gmt' => gmdate( 'Y-m-d\TH:i:s' ) ) )
		);
		add_settings_error(
			Settings::OPTION,
			'test',
			'' === $wrong ? __( 'It arrived: look at the log of the source in Tablegram.', 'tablegram' ) : $wrong,
			'' === $wrong ? 'success' : 'error'
		);
		set_transient( 'settings_errors', get_settings_errors(), 30 );
		wp_safe_redirect( admin_url( 'admin.php?page=tablegram&settings-updated=1' ) );
		exit;
	}

	private function show_test(): void {
		printf( '<form method="post" action="%s">', esc_url( admin_url( 'admin-post.php' ) ) );
		printf( '<input type="hidden" name="action" value="%s">', esc_attr( self::TEST ) );
		wp_nonce_field( self::TEST );
		submit_button( __( 'Send a test', 'tablegram' ), 'secondary', 'submit', false );
		$waiting = $this->outbox->waiting();
		if ( $waiting > 0 ) {
			/* translators: %d: how many deliveries wait. */
			echo ' ' . esc_html( sprintf( _n( '%d delivery waits to be sent.', '%d deliveries wait to be sent.', $waiting, 'tablegram' ), $waiting ) );
		}
		echo '</form>';
	}
}
